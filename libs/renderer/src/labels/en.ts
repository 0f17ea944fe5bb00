/** What the renderer shows and says. `{0}`, `{1}` stand for what the text is about. */
export const en = {
  // Every question
  question: 'Question',
  unsupported: 'A question of the type “{0}” cannot be shown here.',

  // Review
  correct: 'Correct',
  incorrect: 'Incorrect',
  partly_correct: 'Partly correct',
  missed: 'Missed',
  not_answered: 'Not answered',
  points: 'Score: {0} of {1}',
  correct_answer: 'Correct answer',
  correct_answers: 'Correct answers',
  rationale: 'Explanation',

  // Choosing
  choose_at_least: 'Choose at least {0}.',
  choose_at_most: 'Choose at most {0}.',
  choose_between: 'Choose {0} to {1}.',
  choose_exactly: 'Choose {0}.',
  most_chosen: 'You have chosen {0}, which is the most. Take one away first.',
  chosen: '{0} chosen',
  suggested: 'suggested',

  // Placing
  responses: 'Possible answers',
  blank: 'Blank {0} of {1}',
  empty: 'empty',
  selected: '{0} selected. Go to a place and press Enter, or Escape to cancel.',
  selection_cancelled: '{0} is no longer selected.',
  placed: '{0} placed in {1}.',
  placed_instead: '{0} placed in {1}. {2} put back.',
  put_back: '{0} put back.',
  put_back_here: 'Put back here',
  select_first: 'Select a possible answer first.',
  place_full: '{0} is full.',

  // Ordering
  move_up: 'Move {0} up',
  move_down: 'Move {0} down',
  move_earlier: 'Move {0} earlier',
  move_later: 'Move {0} later',
  move_to_list: 'Move {0} to “{1}”',
  source_list: 'Entries',
  target_list: 'Your order',
  position: '{0} of {1}',
  position_in: '{0} of {1} in “{2}”',
  order_selected:
    '{0} selected, {1}. Move it with the arrow keys, or press the entry whose place it takes. Enter drops it, Escape puts it back.',
  moved_to: '{0} is now {1}.',
  order_dropped: '{0} dropped, {1}.',
  order_restored: '{0} put back, {1}.',

  // Typing
  answer: 'Answer',
  special_characters: 'Special characters',
  insert: 'Insert {0}',
  select: 'Select',
  column: 'Column {0} of {1}',
  words: '{0} words',
  words_of: '{0} of {1} words',
  symbols: 'Symbols',
  symbol_times: 'Times',
  symbol_divided: 'Divided by',
  symbol_at_most: 'Less than or equal to',
  symbol_at_least: 'Greater than or equal to',
  symbol_fraction: 'Fraction',
  symbol_power: 'Power',
  symbol_root: 'Square root',
  symbol_pi: 'Pi',
  symbol_plus_minus: 'Plus or minus',
  symbol_brackets: 'Brackets',
  put_on_line: 'Put {0} on the line',
  take_off_line: 'Take {0} off the line',
  cell: 'Cell {0} of {1}',
  grid_cell: 'Row {0}, column {1}',
  shaded_cell: 'Row {0}, column {1}, shaded',
  cells: '{0} cells',
  area: 'Area {0}',

  // Drawing
  image: 'Image',
  draw_hint:
    'Draw on the image with a mouse or a finger. Or set a point with the two sliders, and mark it or lead the last line to it.',
  across: 'Across',
  down: 'Down',
  mark_here: 'Mark the point',
  line_here: 'Lead the line to the point',
  undo: 'Take the last mark away',
  clear: 'Take all marks away',
  marks: 'Marks: {0}',
  mark_at: 'From {0} % across, {1} % down',
  colour: 'Colour',
  colour_number: 'Colour {0}',

  // Media
  plays_left: 'Can be played {0} more times.',
  transcript: 'What it says, as text',
};
