import type { en } from './en';

export const de: Readonly<Record<keyof typeof en, string>> = {
  // Every question
  question: 'Aufgabe',
  unsupported: 'Eine Aufgabe der Art „{0}“ kann hier nicht gezeigt werden.',

  // Review
  correct: 'Richtig',
  incorrect: 'Falsch',
  partly_correct: 'Teilweise richtig',
  missed: 'Nicht gewählt, obwohl richtig',
  not_answered: 'Nicht beantwortet',
  not_marked: 'Noch nicht bewertet',
  points: 'Punkte: {0} von {1}',
  correct_answer: 'Richtige Antwort',
  correct_answers: 'Richtige Antworten',
  rationale: 'Erklärung',

  // Choosing
  choose_at_least: 'Wählen Sie mindestens {0}.',
  choose_at_most: 'Wählen Sie höchstens {0}.',
  choose_between: 'Wählen Sie {0} bis {1}.',
  choose_exactly: 'Wählen Sie {0}.',
  most_chosen: 'Sie haben {0} gewählt, mehr geht nicht. Nehmen Sie zuerst eine Wahl zurück.',
  chosen: '{0} gewählt',
  chosen_of_least: '{0} gewählt. Wählen Sie mindestens {1}.',
  suggested: 'vorgeschlagen',

  // Placing
  responses: 'Mögliche Antworten',
  blank: 'Lücke {0} von {1}',
  empty: 'leer',
  selected: '{0} ausgewählt. Gehen Sie zu einer Stelle und drücken Sie die Eingabetaste, oder Escape zum Abbrechen.',
  selection_cancelled: '{0} ist nicht mehr ausgewählt.',
  placed: '{0} steht jetzt in {1}.',
  placed_instead: '{0} steht jetzt in {1}. {2} wurde zurückgelegt.',
  put_back: '{0} wurde zurückgelegt.',
  put_back_here: 'Hierher zurücklegen',
  select_first: 'Wählen Sie zuerst eine mögliche Antwort aus.',
  place_full: '{0} ist voll.',

  // Typing
  answer: 'Antwort',
  special_characters: 'Sonderzeichen',
  insert: '{0} einfügen',
  select: 'Wählen',
  column: 'Spalte {0} von {1}',
  words: '{0} Wörter',
  words_of: '{0} von {1} Wörtern',
  symbols: 'Zeichen',
  symbol_times: 'Mal',
  symbol_divided: 'Geteilt durch',
  symbol_at_most: 'Kleiner oder gleich',
  symbol_at_least: 'Größer oder gleich',
  symbol_fraction: 'Bruch',
  symbol_power: 'Potenz',
  symbol_root: 'Quadratwurzel',
  symbol_pi: 'Pi',
  symbol_plus_minus: 'Plus oder minus',
  symbol_brackets: 'Klammern',
  put_on_line: '{0} auf die Linie setzen',
  take_off_line: '{0} von der Linie nehmen',
  cell: 'Feld {0} von {1}',
  grid_cell: 'Zeile {0}, Spalte {1}',
  shaded_cell: 'Zeile {0}, Spalte {1}, gefüllt',
  cells: '{0} Felder',
  area: 'Bereich {0}',
  move_up: '{0} nach oben',
  move_down: '{0} nach unten',
  moved_to: '{0} ist jetzt {1} von {2}.',
  order_selected: '{0} gewählt. Drücken Sie den Eintrag, dessen Platz er einnehmen soll.',

  // Drawing
  image: 'Bild',
  draw_hint:
    'Zeichnen Sie mit Maus oder Finger auf das Bild. Oder stellen Sie mit den beiden Reglern einen Punkt ein und markieren Sie ihn oder führen Sie die letzte Linie zu ihm.',
  across: 'Waagrecht',
  down: 'Senkrecht',
  mark_here: 'Punkt markieren',
  line_here: 'Linie zum Punkt führen',
  undo: 'Letzte Markierung entfernen',
  clear: 'Alle Markierungen entfernen',
  marks: 'Markierungen: {0}',
  mark_at: 'Ab {0} % von links, {1} % von oben',
  colour: 'Farbe',
  colour_number: 'Farbe {0}',

  // Media
  plays_left: 'Kann noch {0}-mal abgespielt werden.',
  transcript: 'Der Text dazu',
};
