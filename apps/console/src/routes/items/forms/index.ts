import type { ComponentType } from 'react';
import { AssociationForm } from './association';
import { ChoicematrixForm } from './choicematrix';
import { ClozedropdownForm, ClozetextForm } from './cloze';
import type { Data, FormProps } from './data';
import { FormulaForm } from './formula';
import { LongtextForm } from './longtext';
import { McqForm } from './mcq';
import { OrderlistForm } from './orderlist';
import { PassageForm } from './passage';
import { ShorttextForm } from './shorttext';

interface TypeForm {
  kind: 'question' | 'feature';
  label: { en: string; de: string };
  form: ComponentType<FormProps>;
  /** The data of a new question or feature. */
  fresh: Data;
}

const keyed = (value: unknown) => ({ scoring_type: 'exactMatch', valid_response: { score: 1, value } });

/** The types that have a form. All others are edited as JSON. */
export const FORMS: Readonly<Record<string, TypeForm>> = {
  mcq: {
    kind: 'question',
    label: { en: 'Multiple choice', de: 'Multiple Choice' },
    form: McqForm,
    fresh: {
      stimulus: '',
      options: [
        { label: '', value: '0' },
        { label: '', value: '1' },
      ],
      multiple_responses: false,
      ui_style: { type: 'block', choice_label: 'upper-alpha' },
      validation: keyed([]),
    },
  },
  choicematrix: {
    kind: 'question',
    label: { en: 'Choice matrix', de: 'Auswahlmatrix' },
    form: ChoicematrixForm,
    fresh: { stimulus: '', stems: [''], options: ['', ''], ui_style: { type: 'table' }, validation: keyed([[]]) },
  },
  clozetext: {
    kind: 'question',
    label: { en: 'Gaps to type in', de: 'Lückentext zum Schreiben' },
    form: ClozetextForm,
    fresh: { stimulus: '', template: '<p>{{response}}</p>', validation: keyed(['']) },
  },
  clozedropdown: {
    kind: 'question',
    label: { en: 'Gaps with choices', de: 'Lückentext mit Auswahl' },
    form: ClozedropdownForm,
    fresh: { stimulus: '', template: '<p>{{response}}</p>', possible_responses: [[]], validation: keyed(['']) },
  },
  association: {
    kind: 'question',
    label: { en: 'Matching', de: 'Zuordnung' },
    form: AssociationForm,
    fresh: { stimulus: '', stimulus_list: ['', ''], possible_responses: ['', ''], validation: keyed(['', '']) },
  },
  orderlist: {
    kind: 'question',
    label: { en: 'Ordering', de: 'Reihenfolge' },
    form: OrderlistForm,
    fresh: { stimulus: '', list: ['', ''], validation: keyed([1, 0]) },
  },
  shorttext: {
    kind: 'question',
    label: { en: 'Short answer', de: 'Kurze Antwort' },
    form: ShorttextForm,
    fresh: { stimulus: '', max_length: 50, validation: keyed('') },
  },
  longtextV2: {
    kind: 'question',
    label: { en: 'Essay', de: 'Aufsatz' },
    form: LongtextForm,
    fresh: { stimulus: '', max_length: 500, validation: { max_score: 5 } },
  },
  formulaV2: {
    kind: 'question',
    label: { en: 'Formula', de: 'Formel' },
    form: FormulaForm,
    fresh: {
      stimulus: '',
      is_math: true,
      ui_style: { type: 'block-on-focus-keyboard' },
      validation: keyed([{ method: 'equivSymbolic', value: '', options: {} }]),
    },
  },
  sharedpassage: {
    kind: 'feature',
    label: { en: 'Passage', de: 'Text' },
    form: PassageForm,
    fresh: { heading: '', content: '' },
  },
};
