/** What a refusal means, by its code. The service explains it in English, so other languages add a sentence of their own. */
const SUMMARIES: Record<'de', Record<number, string>> = {
  de: {
    10000: 'Der Dienst konnte die Anfrage gerade nicht ausführen.',
    20000: 'Eine Angabe fehlt.',
    20001: 'Eine Angabe ist zu lang, zu kurz oder zu groß.',
    20002: 'Das sind mehr Einträge, als erlaubt sind.',
    20003: 'Eine Angabe hat die falsche Form.',
    20004: 'Eine Angabe hat einen Wert, der hier nicht möglich ist.',
    20009: 'Die Angaben konnten nicht gelesen werden.',
    20011: 'Das widerspricht dem, was inzwischen gespeichert ist.',
    20012: 'Das gibt es hier nicht.',
    20013: 'Eine der Aufgaben gibt es nicht.',
    20014: 'Eines der Schlagwörter gibt es nicht.',
    20015: 'Eine Art von Schlagwörtern gibt es nicht.',
    20016: 'Eine der Sitzungen gibt es nicht.',
    30000: 'Das gibt es bereits.',
    30001: 'Etwas, worauf verwiesen wird, gibt es nicht.',
    30003: 'Eine Aufgabe kommt mehrmals vor.',
    40002: 'Die Organisation fehlt, oder Sie haben darin keine Rolle.',
    40003: 'Ihre Rolle erlaubt das nicht.',
    41007: 'Bestätigen Sie zuerst, dass Sie es sind.',
    42000: 'Das waren zu viele Anfragen in kurzer Zeit.',
    44000: 'Diese Art von Bericht gibt es nicht.',
    50000: 'Dafür gibt es keine Daten.',
  },
};

/** A sentence about a code, for languages that the service does not speak. */
export const summaryOf = (language: 'en' | 'de', code: number): string | undefined =>
  language === 'en' ? undefined : SUMMARIES[language][code];
