import { filled } from '../../texts/filled';
import { useLanguage } from '../../texts/texts';
import type { PlanNote } from './plan-file';

const WRITE_AGAIN = 'Schreiben Sie die Frage neu, als einen der Typen, die die Anleitung nennt.';
const CHECK_SCORE =
  'Probieren Sie die Frage mit den Antworten aus, auf die es ankommt, und berichtigen Sie die Wertung.';
const SCORE_BY_HAND = 'Ergänzen Sie die richtige Antwort in der Frage, oder lassen Sie einen Menschen werten.';
const ADD_FILE = 'Laden Sie die Datei hoch, und setzen Sie ihre Adresse in die Frage ein.';
const NOTHING_TO_DO = 'Nichts, außer Sie brauchen es: Es liegt bei der Aufgabe.';
const CHECK_LOOK = 'Sehen Sie sich die Frage an, und ändern Sie, wo nötig, die Anordnung.';
const IN_ACTIVITY = 'Stellen Sie es in der Aktivität ein.';
const AGAIN = 'Berichtigen Sie die Quelle, und importieren Sie sie erneut.';

/** The notes in German, by code: the sentence, in which `{0}` stands for the part of the source, and the remedy. */
const GERMAN: Record<string, readonly [message: string, remedy: string]> = {
  'scoring-lost': ['Kann hier nicht gewertet werden: {0}.', SCORE_BY_HAND],
  'scoring-approximated': ['Wertet manche Antworten anders: {0}.', CHECK_SCORE],
  'scoring-missing': ['Hat in der Quelle keine Wertung: {0}.', SCORE_BY_HAND],
  'weight-dropped': ['Ein Gewicht ist entfallen: {0}.', 'Ändern Sie die Punkte der Frage.'],
  'penalty-dropped': ['Ein Abzug ist entfallen: {0}.', CHECK_SCORE],
  'tolerance-approximated': ['Eine Toleranz wurde angenähert: {0}.', CHECK_SCORE],
  'unit-dropped': ['Einheiten sind entfallen: {0}.', CHECK_SCORE],
  'case-guessed': [
    'Die Quelle sagt nicht, ob Großschreibung zählt: {0}.',
    'Stellen Sie in der Frage ein, ob Großschreibung zählt.',
  ],
  'wildcard-approximated': ['Ein Platzhalter wurde angenähert: {0}.', CHECK_SCORE],
  'interaction-lost': [
    'Diese Art von Aufgabe gibt es hier nicht; ein Text, den ein Mensch wertet, steht an ihrer Stelle: {0}.',
    WRITE_AGAIN,
  ],
  'interaction-approximated': ['Eine andere Art von Frage steht an ihrer Stelle: {0}.', WRITE_AGAIN],
  'feature-dropped': [
    'Ein Hilfsmittel neben den Fragen ist entfallen: {0}.',
    'Ergänzen Sie im anderen Programm etwas Ähnliches.',
  ],
  'choice-limit-dropped': ['Eine Grenze für die Auswahl ist entfallen: {0}.', CHECK_LOOK],
  'choice-markup-dropped': ['Auszeichnungen in einer Antwortmöglichkeit wurden zu Text: {0}.', CHECK_LOOK],
  'text-split': ['Der Text wurde auf mehrere Fragen verteilt: {0}.', CHECK_LOOK],
  'markup-dropped': [
    'Auszeichnungen, die Code ausführen könnten oder unbekannt sind, sind entfallen: {0}.',
    CHECK_LOOK,
  ],
  'variable-text-dropped': ['Ein Text, den die Quelle berechnet, ist entfallen: {0}.', WRITE_AGAIN],
  'template-dropped': ['Zufällige Werte der Quelle sind entfallen: {0}.', WRITE_AGAIN],
  'dynamic-behaviour-dropped': ['Verhalten, das von Antworten abhängt, ist entfallen: {0}.', WRITE_AGAIN],
  'hint-dropped': ['Eine Hilfe ist entfallen: {0}.', 'Ergänzen Sie sie als Rückmeldung der Frage.'],
  'first-response-dropped': [
    'Eine Antwort, die schon vor der Bearbeitung dasteht, ist entfallen: {0}.',
    'Nehmen Sie sie in den Text der Frage auf.',
  ],
  'feedback-kept-aside': ['Rückmeldungen, die von den Punkten abhängen, liegen beiseite: {0}.', NOTHING_TO_DO],
  'feedback-dropped': ['Eine Rückmeldung ist entfallen: {0}.', 'Ergänzen Sie sie als `distractor_rationale`.'],
  'shuffle-approximated': ['Die Reihenfolge der Antwortmöglichkeiten ist anders: {0}.', CHECK_LOOK],
  'layout-approximated': ['Die Anordnung ist anders: {0}.', CHECK_LOOK],
  'style-dropped': ['Eine Formatvorlage ist entfallen: {0}.', CHECK_LOOK],
  'input-rule-dropped': ['Eine Regel für die Eingabe ist entfallen: {0}.', CHECK_LOOK],
  'playback-rule-dropped': ['Eine Regel für das Abspielen ist entfallen: {0}.', CHECK_LOOK],
  'member-kept-aside': ['Liegt beiseite, weil hier nichts es aufnimmt: {0}.', NOTHING_TO_DO],
  'unknown-dropped': ['Unbekannt und entfallen: {0}.', 'Ergänzen Sie es in der Bank, wenn Sie es brauchen.'],
  'file-missing': ['Eine Datei fehlt im Paket: {0}.', ADD_FILE],
  'file-refused': ['Eine Datei wurde abgelehnt: {0}.', ADD_FILE],
  'address-remote': [
    'Eine Datei liegt auf einem anderen Server und wird nicht geholt: {0}.',
    'Laden Sie die Datei hoch, falls der andere Server verschwinden könnte.',
  ],
  'item-missing': [
    'Eine Aufgabe oder ein Abschnitt des Tests konnte nicht importiert werden: {0}.',
    'Importieren Sie die Aufgabe, und fügen Sie sie dann hinzu.',
  ],
  'item-repeated': [
    'Eine Aufgabe oder ein Abschnitt steht zweimal im Test; das erste Mal bleibt: {0}.',
    'Duplizieren Sie die Aufgabe.',
  ],
  'selection-dropped': [
    'Eine zufällige Auswahl ist entfallen; alle Aufgaben sind dabei: {0}.',
    'Nehmen Sie einen Pool.',
  ],
  'branching-dropped': [
    'Eine Regel für die Reihenfolge der Aufgaben ist entfallen: {0}.',
    'Nehmen Sie eine adaptive Aktivität.',
  ],
  'time-limit-dropped': ['Eine Zeitgrenze ist entfallen: {0}.', IN_ACTIVITY],
  'session-rule-dropped': ['Eine Regel für das Bearbeiten des Tests ist entfallen: {0}.', IN_ACTIVITY],
  'test-scoring-dropped': ['Eine Regel für die Wertung des Tests ist entfallen: {0}.', IN_ACTIVITY],
  'bank-missing': [
    'Eine Fragensammlung, aus der der Test zieht, fehlt im Paket: {0}.',
    'Exportieren Sie auch die Sammlung aus der Quelle, und importieren Sie beides.',
  ],
  'record-missing': [
    'Diesen Eintrag gibt es nicht: {0}.',
    'Berichtigen Sie die Referenz, und exportieren Sie noch einmal.',
  ],
  'reference-changed': [
    'Eine andere Referenz wurde vergeben: {0}.',
    'Nichts, außer wenn andere Programme die frühere Referenz verwenden.',
  ],
  'title-changed': ['Ein Titel wurde gekürzt: {0}.', 'Schreiben Sie in der Bank einen kürzeren Titel.'],
  'tag-changed': [
    'Ein Schlagwort wurde gekürzt oder geändert: {0}.',
    'Nichts, außer wenn andere Programme das frühere Schlagwort verwenden.',
  ],
  'entry-unreadable': ['Kann nicht gelesen werden: {0}.', AGAIN],
  'file-unread': [
    'Diese Datei wurde nicht gelesen, weil sie ein anderes Format hat als die übrigen: {0}.',
    'Importieren Sie diese Datei für sich.',
  ],
  'schema-violated': [
    'Entspricht nicht seinem Schema: {0}.',
    'Berichtigen Sie die Quelle, oder importieren Sie sie ohne --schemas.',
  ],
  'entry-unsupported': ['Diesen Typ gibt es hier nicht: {0}.', WRITE_AGAIN],
  'entry-refused': ['Die Bank lehnt es ab: {0}.', AGAIN],
  'entry-exists': [
    'Die Referenz gibt es schon: {0}.',
    'Planen Sie die Datei mit einer anderen Regel: ersetzen, behalten oder unter anderer Referenz hinzufügen.',
  ],
};

/** Returns the sentences of a note in the chosen language. Without a translation, those of the service stay. */
export function useNoteText() {
  const language = useLanguage();
  return ({ code, was, message, remedy }: PlanNote): { message: string; remedy: string } => {
    const german = language === 'de' ? GERMAN[code] : undefined;
    return german ? { message: filled(german[0], [was.replace(/\.$/, '')]), remedy: german[1] } : { message, remedy };
  };
}
