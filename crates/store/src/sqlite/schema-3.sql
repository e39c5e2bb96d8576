-- A number that nobody foresees, beside the number of each change: two histories that parted, such as those of a lost
-- primary and of its promoted replica, may give a change the same number and never the same mark.
ALTER TABLE changes ADD COLUMN mark INTEGER;
