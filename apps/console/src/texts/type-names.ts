/* Without imports, so that the service's tests can compare the tables with its types. */

type Language = 'en' | 'de';
type Names = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** The names of the question types. */
export const QUESTION_TYPES: Names = {
  mcq: { en: 'Multiple choice', de: 'Multiple Choice' },
  choicematrix: { en: 'Choice matrix', de: 'Auswahlmatrix' },
  clozetext: { en: 'Gaps to type in', de: 'Lückentext zum Schreiben' },
  clozeinlinetext: { en: 'Gaps in lines of text', de: 'Lückentext in der Zeile' },
  clozedropdown: { en: 'Gaps with choices', de: 'Lückentext mit Auswahl' },
  clozeassociation: { en: 'Gaps to drag into', de: 'Lückentext mit Zuordnung' },
  clozeformula: { en: 'Gaps for formulas (first version)', de: 'Lücken für Formeln (erste Fassung)' },
  clozeformulaV2: { en: 'Gaps for formulas', de: 'Lücken für Formeln' },
  association: { en: 'Matching', de: 'Zuordnung' },
  classification: { en: 'Classification', de: 'Einordnung in Gruppen' },
  orderlist: { en: 'Ordering', de: 'Reihenfolge' },
  sortlist: { en: 'Sorting into a second list', de: 'Sortieren in eine zweite Liste' },
  shorttext: { en: 'Short answer', de: 'Kurze Antwort' },
  longtext: { en: 'Essay (first version)', de: 'Aufsatz (erste Fassung)' },
  longtextV2: { en: 'Essay', de: 'Aufsatz' },
  plaintext: { en: 'Essay without formatting', de: 'Aufsatz ohne Formatierung' },
  formulaV2: { en: 'Formula', de: 'Formel' },
  formulaessay: { en: 'Essay with formulas (first version)', de: 'Aufsatz mit Formeln (erste Fassung)' },
  formulaessayV2: { en: 'Essay with formulas', de: 'Aufsatz mit Formeln' },
  chemistryessay: {
    en: 'Essay with chemical formulas (first version)',
    de: 'Aufsatz mit chemischen Formeln (erste Fassung)',
  },
  chemistryessayV2: { en: 'Essay with chemical formulas', de: 'Aufsatz mit chemischen Formeln' },
  hotspot: { en: 'Areas of a picture', de: 'Bereiche eines Bildes' },
  tokenhighlight: { en: 'Parts of a text', de: 'Teile eines Textes' },
  highlight: { en: 'Marks on a picture', de: 'Markierungen auf einem Bild' },
  drawing: { en: 'Drawing', de: 'Zeichnung' },
  imageclozetext: { en: 'Picture with gaps', de: 'Bild mit Lücken' },
  imageclozedropdown: { en: 'Picture with choices', de: 'Bild mit Auswahl' },
  imageclozeassociation: { en: 'Picture to drag into (first version)', de: 'Bild mit Zuordnung (erste Fassung)' },
  imageclozeassociationV2: { en: 'Picture to drag into', de: 'Bild mit Zuordnung' },
  numberline: { en: 'Number line', de: 'Zahlenstrahl' },
  gridded: { en: 'Number in a grid', de: 'Zahl im Raster' },
  simpleshading: { en: 'Shading', de: 'Felder ausfüllen' },
  rating: { en: 'Rating', de: 'Bewertung' },
  audio: { en: 'Audio recording', de: 'Tonaufnahme' },
  video: { en: 'Video recording', de: 'Videoaufnahme' },
  fileupload: { en: 'Uploaded file', de: 'Hochgeladene Datei' },
  imageupload: { en: 'Uploaded picture', de: 'Hochgeladenes Bild' },
};

/** The names of the types of features. */
export const FEATURE_TYPES: Names = {
  sharedpassage: { en: 'Passage', de: 'Text' },
  scrollablepassage: { en: 'Scrollable passage', de: 'Text mit Bildlauf' },
  audioplayer: { en: 'Audio player', de: 'Tonwiedergabe' },
  videoplayer: { en: 'Video player', de: 'Videowiedergabe' },
  calculator: { en: 'Calculator', de: 'Taschenrechner' },
  counter: { en: 'Counter', de: 'Zähler' },
  formulainput: { en: 'Field for formulas', de: 'Feld für Formeln' },
  imagetool: { en: 'Picture as a tool', de: 'Bild als Werkzeug' },
  customfeature: { en: 'Custom feature', de: 'Eigenes Element' },
};

const ALL: Names = { ...QUESTION_TYPES, ...FEATURE_TYPES };

/** The name of a type of questions or features. An unknown type keeps the name that it has in calls. */
export const typeNameIn = (language: Language, type: string): string =>
  Object.hasOwn(ALL, type) ? ALL[type]![language] : type;
