//! The vocabulary: each word in English, French and German, so that translations have the same meaning.

/// A thing. French and German begin with the gender: `m`, `f`, `n`.
pub(crate) type Noun = [&'static str; 3];

#[rustfmt::skip]
pub(crate) const NOUNS: &[Noun] = &[
    ["lid", "m couvercle", "m Deckel"], ["vessel", "m récipient", "m Behälter"], ["valve", "f vanne", "n Ventil"],
    ["housing", "m boîtier", "n Gehäuse"], ["bracket", "m support", "m Halter"], ["hinge", "f charnière", "n Scharnier"],
    ["sensor", "m capteur", "m Sensor"], ["cable", "m câble", "n Kabel"], ["plug", "f fiche", "m Stecker"],
    ["filter", "m filtre", "m Filter"], ["pump", "f pompe", "f Pumpe"], ["nozzle", "f buse", "f Düse"],
    ["gasket", "m joint", "f Dichtung"], ["bolt", "m boulon", "m Bolzen"], ["plate", "f plaque", "f Platte"],
    ["shaft", "m arbre", "f Welle"], ["bearing", "m palier", "n Lager"], ["spring", "m ressort", "f Feder"],
    ["lever", "m levier", "m Hebel"], ["handle", "f poignée", "m Griff"], ["wheel", "f roue", "n Rad"],
    ["frame", "m cadre", "m Rahmen"], ["panel", "m panneau", "f Tafel"], ["lamp", "f lampe", "f Lampe"],
    ["battery", "f batterie", "f Batterie"], ["fuse", "m fusible", "f Sicherung"], ["switch", "m commutateur", "m Schalter"],
    ["tank", "m réservoir", "m Tank"], ["pipe", "m tuyau", "n Rohr"], ["flange", "f bride", "m Flansch"],
    ["thread", "m filetage", "n Gewinde"], ["coating", "m revêtement", "f Beschichtung"], ["weld", "f soudure", "f Naht"],
    ["label", "f étiquette", "n Etikett"], ["display", "m écran", "f Anzeige"], ["sample", "m échantillon", "f Probe"],
    ["specimen", "f éprouvette", "m Prüfkörper"], ["oven", "m four", "m Ofen"], ["bath", "m bain", "n Bad"],
    ["balance", "f balance", "f Waage"], ["gauge", "m calibre", "f Lehre"], ["clamp", "f pince", "f Klemme"],
    ["rail", "m rail", "f Schiene"], ["drum", "m tambour", "f Trommel"], ["belt", "f courroie", "m Riemen"],
    ["chain", "f chaîne", "f Kette"], ["hook", "m crochet", "m Haken"], ["rope", "f corde", "n Seil"],
    ["ladder", "f échelle", "f Leiter"], ["guard", "m protecteur", "m Schutz"], ["barrier", "f barrière", "f Schranke"],
    ["alarm", "f alarme", "m Alarm"], ["detector", "m détecteur", "m Melder"], ["controller", "m régulateur", "m Regler"],
    ["interface", "f interface", "f Schnittstelle"], ["record", "m enregistrement", "f Aufzeichnung"],
    ["report", "m rapport", "m Bericht"], ["procedure", "m mode opératoire", "n Verfahren"], ["operator", "m opérateur", "m Bediener"],
    ["manufacturer", "m fabricant", "m Hersteller"], ["supplier", "m fournisseur", "m Lieferant"],
    ["laboratory", "m laboratoire", "n Labor"], ["inspector", "m inspecteur", "m Prüfer"], ["container", "m conteneur", "m Container"],
    ["solution", "f solution", "f Lösung"], ["reagent", "m réactif", "n Reagens"], ["solvent", "m solvant", "n Lösemittel"],
    ["mixture", "m mélange", "f Mischung"], ["powder", "f poudre", "n Pulver"], ["membrane", "f membrane", "f Membran"],
    ["fabric", "m tissu", "n Gewebe"], ["fibre", "f fibre", "f Faser"], ["lens", "f lentille", "f Linse"],
    ["mirror", "m miroir", "m Spiegel"], ["beam", "f poutre", "m Balken"], ["column", "f colonne", "f Säule"],
    ["floor", "m plancher", "m Boden"], ["door", "f porte", "f Tür"], ["window", "f fenêtre", "n Fenster"],
    ["roof", "m toit", "n Dach"], ["pillar", "m pilier", "m Pfeiler"], ["trolley", "m chariot", "m Wagen"],
    ["brake", "m frein", "f Bremse"], ["engine", "m moteur", "m Motor"], ["rotor", "m rotor", "m Rotor"],
    ["turbine", "f turbine", "f Turbine"], ["boiler", "f chaudière", "m Kessel"], ["burner", "m brûleur", "m Brenner"],
    ["chimney", "f cheminée", "m Schornstein"], ["conveyor", "m convoyeur", "m Förderer"], ["pallet", "f palette", "f Palette"],
    ["crate", "f caisse", "f Kiste"], ["bottle", "f bouteille", "f Flasche"], ["helmet", "m casque", "m Helm"],
    ["glove", "m gant", "m Handschuh"], ["harness", "m harnais", "m Gurt"], ["tyre", "m pneu", "m Reifen"],
    ["antenna", "f antenne", "f Antenne"], ["circuit", "m circuit", "m Stromkreis"], ["winding", "m enroulement", "f Wicklung"],
];

/// Number of adjectives that can follow a verb: all but the last, which say where.
pub(crate) const PREDICATES: usize = ADJECTIVES.len() - 4;

/// A property: English, French masculine and feminine, German stem.
#[rustfmt::skip]
pub(crate) const ADJECTIVES: &[[&str; 4]] = &[
    ["tight", "étanche", "étanche", "dicht"], ["rigid", "rigide", "rigide", "starr"], ["closed", "fermé", "fermée", "geschlossen"],
    ["open", "ouvert", "ouverte", "offen"], ["dry", "sec", "sèche", "trocken"], ["wet", "humide", "humide", "feucht"],
    ["clean", "propre", "propre", "sauber"], ["visible", "visible", "visible", "sichtbar"], ["fixed", "fixe", "fixe", "fest"],
    ["movable", "mobile", "mobile", "beweglich"],
    ["light", "léger", "légère", "leicht"],
    ["heavy", "lourd", "lourde", "schwer"], ["empty", "vide", "vide", "leer"], ["full", "plein", "pleine", "voll"],
    ["insulated", "isolé", "isolée", "isoliert"], ["electrical", "électrique", "électrique", "elektrisch"],
    ["mechanical", "mécanique", "mécanique", "mechanisch"], ["thermal", "thermique", "thermique", "thermisch"],
    ["optical", "optique", "optique", "optisch"], ["hydraulic", "hydraulique", "hydraulique", "hydraulisch"],
    ["automatic", "automatique", "automatique", "automatisch"], ["manual", "manuel", "manuelle", "manuell"],
    ["portable", "portatif", "portative", "tragbar"], ["transparent", "transparent", "transparente", "durchsichtig"],
    ["smooth", "lisse", "lisse", "glatt"], ["rough", "rugueux", "rugueuse", "rau"], ["flexible", "souple", "souple", "biegsam"],
    ["calibrated", "étalonné", "étalonnée", "kalibriert"], ["marked", "marqué", "marquée", "gekennzeichnet"],
    ["stable", "stable", "stable", "stabil"], ["redundant", "redondant", "redondante", "redundant"],
    ["removable", "amovible", "amovible", "abnehmbar"], ["adjustable", "réglable", "réglable", "einstellbar"],
    ["sealed", "scellé", "scellée", "versiegelt"], ["grounded", "mis à la terre", "mise à la terre", "geerdet"],
    ["tempered", "trempé", "trempée", "gehärtet"],
    ["upper", "supérieur", "supérieure", "ober"], ["lower", "inférieur", "inférieure", "unter"],
    ["inner", "intérieur", "intérieure", "inner"], ["outer", "extérieur", "extérieure", "äußer"],
];

/// What one thing does to another.
#[rustfmt::skip]
pub(crate) const VERBS: &[[&str; 3]] = &[
    ["support", "supporter", "tragen"], ["hold", "maintenir", "halten"], ["protect", "protéger", "schützen"],
    ["limit", "limiter", "begrenzen"], ["measure", "mesurer", "messen"], ["cool", "refroidir", "kühlen"],
    ["open", "ouvrir", "öffnen"], ["connect", "relier", "verbinden"], ["replace", "remplacer", "ersetzen"],
    ["secure", "fixer", "sichern"], ["mark", "marquer", "kennzeichnen"], ["clean", "nettoyer", "reinigen"],
    ["move", "déplacer", "bewegen"], ["load", "charger", "belasten"], ["seal", "sceller", "versiegeln"],
    ["control", "commander", "steuern"], ["signal", "signaler", "melden"], ["store", "stocker", "speichern"],
    ["separate", "séparer", "trennen"], ["guide", "guider", "führen"], ["lift", "soulever", "heben"],
    ["fill", "remplir", "füllen"], ["empty", "vider", "leeren"], ["weigh", "peser", "wiegen"],
    ["stir", "remuer", "rühren"], ["cover", "couvrir", "bedecken"], ["drill", "percer", "bohren"],
    ["describe", "décrire", "beschreiben"], ["identify", "identifier", "bestimmen"], ["assess", "évaluer", "bewerten"],
    ["compare", "comparer", "vergleichen"], ["verify", "vérifier", "prüfen"], ["confirm", "confirmer", "bestätigen"],
    ["document", "documenter", "dokumentieren"], ["calibrate", "étalonner", "kalibrieren"], ["mount", "monter", "montieren"],
    ["monitor", "surveiller", "überwachen"], ["tighten", "serrer", "spannen"], ["heat", "chauffer", "erwärmen"],
    ["rinse", "rincer", "spülen"], ["polish", "polir", "polieren"], ["inspect", "contrôler", "untersuchen"],
];

/// A quantity: what it is called, its symbol and its unit.
#[rustfmt::skip]
pub(crate) const QUANTITIES: &[([&str; 3], &str, &str)] = &[
    (["force", "force", "Kraft"], "F", "kN"), (["mass", "masse", "Masse"], "m", "kg"),
    (["length", "longueur", "Länge"], "l", "mm"), (["thickness", "épaisseur", "Dicke"], "d", "mm"),
    (["temperature", "température", "Temperatur"], "T", "°C"), (["pressure", "pression", "Spannung"], "p", "kPa"),
    (["voltage", "tension", "Spannung"], "U", "V"), (["time", "durée", "Dauer"], "t", "s"),
    (["speed", "vitesse", "Geschwindigkeit"], "v", "m/s"), (["power", "puissance", "Leistung"], "P", "W"),
    (["frequency", "fréquence", "Frequenz"], "f", "Hz"), (["density", "densité", "Dichte"], "ρ", "kg/m³"),
    (["resistance", "résistance", "Festigkeit"], "R", "MPa"), (["humidity", "humidité", "Feuchte"], "h", "%"),
];

/// Classes of the International Classification for Standards.
#[rustfmt::skip]
pub(crate) const ICS: &[&str] = &[
    "01.040.13", "03.120.10", "11.040.55", "13.060.50", "13.110", "13.220.20", "13.340.20", "17.040.20", "17.060", "17.100",
    "19.040", "21.060.10", "21.100.20", "23.020.30", "23.040.60", "23.060.01", "25.040.40", "25.160.40", "27.060.30", "27.100",
    "29.060.20", "29.120.50", "29.220.20", "33.120.40", "35.240.50", "43.150", "53.040.10", "55.180.20", "59.080.30",
    "71.040.40", "83.140.30", "91.060.50", "91.090", "97.200.50",
];
