export const REPORT_LANGUAGES = ['en', 'de'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** A report is read in any time zone, and has no scripts, so it names its own. */
const timeIn = (locale: string, at: number): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

const en = {
  decimalPoint: '.',
  ofItem: 'Analysis of an item',
  ofActivity: 'Analysis of an activity',
  made: (at: number) => `Made on ${timeIn('en-GB', at)}. A dash stands for a figure that is not defined.`,
  sessions: 'Completed sessions',
  questions: 'Questions',
  mean: 'Mean total',
  /** @param max null when sessions have different ones. */
  meanOf: (mean: string, max: string | null, percent: string) =>
    `${mean}${max === null ? '' : ` of ${max}`} points, ${percent} %`,
  deviation: 'Standard deviation',
  deviationOf: (points: string, percent: string) => `${points} points, ${percent} %`,
  range: 'Lowest and highest total',
  rangeOf: (lowest: string, highest: string) => `${lowest} and ${highest}`,
  alpha: 'Cronbach’s alpha',
  error: 'Standard error of measurement',
  points: (points: string) => `${points} points`,
  groups: 'Upper and lower group',
  groupsOf: (size: string) => `${size} ${size === '1' ? 'session' : 'sessions'} each`,
  waiting: (sessions: number) =>
    `In ${sessions} of these sessions, answers wait for a score. Their totals are without these questions, and alpha is without these sessions.`,
  noAlpha: 'Alpha is not defined, because the sessions had different questions.',
  columns: [
    'Question',
    'n',
    'Omitted',
    'Unscored',
    'Mean',
    'of',
    'SD',
    'p-value',
    'Point-biserial',
    'corrected',
    'p lower',
    'p upper',
    'Discrimination',
    'Alpha without',
  ],
  optionColumns: ['Option', 'Chosen', 'Share', 'Mean total %', 'Point-biserial', 'Lower 27 %', 'Upper 27 %'],
  place: (number: number) => `Place ${number}`,
  more: 'Options of further questions are in options.csv.',
  histogram: 'How often totals came up',
  total: 'Total in percent of the highest possible',
  sessionsAxis: 'Sessions',
  difficulty: 'Difficulty against discrimination; numbers as in the table',
  pValue: 'p-value (share of the points)',
  discrimination: 'Discrimination index',
  traces: 'Share of each option by fifth of the total',
  byTotal: 'Sessions by total',
  share: 'Share',
  fifths: ['lowest fifth', '2nd', '3rd', '4th', 'highest fifth'],
  none: 'no answer',
  other: 'not offered',
  key: 'key',
};

const de: ReportTexts = {
  decimalPoint: ',',
  ofItem: 'Analyse einer Aufgabe',
  ofActivity: 'Analyse einer Aktivität',
  made: (at) => `Erstellt am ${timeIn('de', at)}. Ein Strich steht für einen Wert, der nicht definiert ist.`,
  sessions: 'Abgeschlossene Sitzungen',
  questions: 'Fragen',
  mean: 'Mittlere Gesamtpunktzahl',
  meanOf: (mean, max, percent) => `${mean} ${max === null ? 'Punkte' : `von ${max} Punkten`}, ${percent} %`,
  deviation: 'Standardabweichung',
  deviationOf: (points, percent) => `${points} Punkte, ${percent} %`,
  range: 'Niedrigste und höchste Gesamtpunktzahl',
  rangeOf: (lowest, highest) => `${lowest} und ${highest}`,
  alpha: 'Cronbachs Alpha',
  error: 'Standardmessfehler',
  points: (points) => `${points} Punkte`,
  groups: 'Obere und untere Gruppe',
  groupsOf: (size) => `je ${size} ${size === '1' ? 'Sitzung' : 'Sitzungen'}`,
  waiting: (sessions) =>
    `In ${sessions} dieser Sitzungen warten Antworten auf eine Bewertung. Ihre Gesamtpunktzahlen sind ohne diese Fragen, und Alpha ist ohne diese Sitzungen.`,
  noAlpha: 'Alpha ist nicht definiert, weil die Sitzungen verschiedene Fragen hatten.',
  columns: [
    'Frage',
    'n',
    'Ausgelassen',
    'Unbewertet',
    'Mittel',
    'von',
    'SD',
    'p-Wert',
    'Punktbiserial',
    'korrigiert',
    'p unten',
    'p oben',
    'Trennschärfe',
    'Alpha ohne',
  ],
  optionColumns: ['Option', 'Gewählt', 'Anteil', 'Mittlere Punkte %', 'Punktbiserial', 'Untere 27 %', 'Obere 27 %'],
  place: (number) => `Stelle ${number}`,
  more: 'Die Optionen weiterer Fragen stehen in options.csv.',
  histogram: 'Wie oft Gesamtpunktzahlen vorkamen',
  total: 'Gesamtpunktzahl in Prozent der höchstmöglichen',
  sessionsAxis: 'Sitzungen',
  difficulty: 'Schwierigkeit und Trennschärfe; Nummern wie in der Tabelle',
  pValue: 'p-Wert (Anteil der Punkte)',
  discrimination: 'Trennschärfe',
  traces: 'Anteil jeder Option nach Fünfteln der Gesamtpunktzahl',
  byTotal: 'Sitzungen nach Gesamtpunktzahl',
  share: 'Anteil',
  fifths: ['unterstes Fünftel', '2.', '3.', '4.', 'oberstes Fünftel'],
  none: 'keine Antwort',
  other: 'nicht angeboten',
  key: 'richtig',
};

export type ReportTexts = typeof en;

export const reportTexts = (language: ReportLanguage): ReportTexts => ({ en, de })[language];

/** A figure with this many decimals, as people of the language write it; a dash when it is undefined. */
export const figureIn =
  ({ decimalPoint }: ReportTexts) =>
  (value: number | null, decimals = 2): string => {
    if (value === null) return '–';
    // Adding 0 removes the minus of a figure that is rounded to 0.
    const rounded = Number(value.toFixed(decimals)) + 0;
    return rounded.toFixed(decimals).replace('.', decimalPoint);
  };
