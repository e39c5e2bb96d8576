//! Formulae as trees, in a normal form in which two are equal exactly if they mean the same.

/// A formula or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A number, a letter, a word, the sign of a sum.
    Token(String),
    /// Terms, each after an operator (the first has none) and after its own signs.
    Sum(Vec<Item>),
    /// Factors side by side.
    Product(Vec<Tree>),
    Fraction(Box<Tree>, Box<Tree>),
    Root(Box<Tree>),
    Scripted(Box<Scripted>),
    /// A list in brackets.
    Enclosed(char, Vec<Tree>, char),
}

/// A term of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The operator before it, empty for the first.
    pub operator: String,
    /// Its signs: `−`.
    pub signs: String,
    pub term: Tree,
}

/// A base with scripts before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripted {
    pub before: Slot,
    pub base: Tree,
    pub after: Vec<Slot>,
}

/// A lower and an upper script, one above the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    pub sub: Option<Tree>,
    pub sup: Option<Tree>,
}

impl Slot {
    pub fn is_empty(&self) -> bool {
        self.sub.is_none() && self.sup.is_none()
    }
}

pub fn token(text: &str) -> Tree {
    Tree::Token(text.to_owned())
}

/// A tree in normal form: brackets that only hold a part together are away, products in products are one,
/// signs are before the term that they belong to.
pub fn normal(tree: &Tree) -> Tree {
    match tree {
        Tree::Token(_) => tree.clone(),
        Tree::Sum(items) => sum(items),
        Tree::Product(factors) => product(factors),
        Tree::Fraction(over, under) => {
            let fraction = Tree::Fraction(Box::new(operand(over)), Box::new(operand(under)));
            with_sign_before(fraction)
        }
        Tree::Root(inner) => Tree::Root(Box::new(operand(inner))),
        Tree::Scripted(scripted) => self::scripted(scripted),
        Tree::Enclosed(open, members, close) => {
            Tree::Enclosed(*open, members.iter().map(normal).collect(), *close)
        }
    }
}

/// A part in a place that holds it together: base, script, dividend, divisor, radicand.
fn operand(tree: &Tree) -> Tree {
    match normal(tree) {
        Tree::Enclosed('(', members, ')') if members.len() == 1 => operand(&members[0]),
        other => other,
    }
}

fn sum(items: &[Item]) -> Tree {
    let mut found = Vec::new();
    for Item { operator, signs, term } in items {
        match normal(term) {
            // A term that begins with its own sign.
            Tree::Sum(inner) if inner.len() == 1 => {
                let signs = format!("{signs}{}", inner[0].signs);
                found.push(Item { operator: operator.clone(), signs, term: inner[0].term.clone() });
            }
            term => found.push(Item { operator: operator.clone(), signs: signs.clone(), term }),
        }
    }
    match &found[..] {
        [only] if only.signs.is_empty() => only.term.clone(),
        _ => Tree::Sum(found),
    }
}

fn product(factors: &[Tree]) -> Tree {
    let mut found = Vec::new();
    let mut signs = String::new();
    for factor in factors {
        match (normal(factor), factor) {
            (Tree::Product(inner), _) => found.extend(inner),
            // Only the first factor shows its sign without brackets.
            (Tree::Sum(inner), Tree::Fraction(..)) if found.is_empty() => {
                signs.clone_from(&inner[0].signs);
                found.push(inner[0].term.clone());
            }
            (Tree::Sum(_), Tree::Fraction(over, under)) => {
                found.push(Tree::Fraction(Box::new(operand(over)), Box::new(operand(under))));
            }
            (other, _) => found.push(other),
        }
    }
    let term = if found.len() == 1 { found.remove(0) } else { Tree::Product(found) };
    if signs.is_empty() { term } else { Tree::Sum(vec![Item { operator: String::new(), signs, term }]) }
}

/// −a/b is both the negative of a fraction and a fraction of a negative number, which are the same.
fn with_sign_before(fraction: Tree) -> Tree {
    let Tree::Fraction(over, under) = &fraction else { return fraction };
    match &**over {
        Tree::Sum(items) if items.len() == 1 => {
            let term = Tree::Fraction(Box::new(operand(&items[0].term)), under.clone());
            Tree::Sum(vec![Item { operator: String::new(), signs: items[0].signs.clone(), term }])
        }
        _ => fraction,
    }
}

fn scripted(scripted: &Scripted) -> Tree {
    let slot =
        |slot: &Slot| Slot { sub: slot.sub.as_ref().map(operand), sup: slot.sup.as_ref().map(operand) };
    let mut after: Vec<Slot> = scripted.after.iter().map(slot).filter(|slot| !slot.is_empty()).collect();
    let mut before = slot(&scripted.before);
    let mut base = operand(&scripted.base);
    // A lower script that is set first, and then an upper one, are one pair.
    if let Tree::Scripted(inner) = &base
        && before.is_empty()
        && let ([Slot { sub: Some(sub), sup: None }], [Slot { sub: None, sup: Some(sup) }]) =
            (&inner.after[..], &after[..])
    {
        let pair = Slot { sub: Some(sub.clone()), sup: Some(sup.clone()) };
        (before, after) = (inner.before.clone(), vec![pair]);
        base = inner.base.clone();
    }
    if before.is_empty() && after.is_empty() {
        return base;
    }
    Tree::Scripted(Box::new(Scripted { before, base, after }))
}
