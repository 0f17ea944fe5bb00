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
  form: ComponentType<FormProps>;
  /** The data of a new question or feature. */
  fresh: Data;
}

const keyed = (value: unknown) => ({ scoring_type: 'exactMatch', valid_response: { score: 1, value } });

/** The types that have a form. All others are edited as JSON. */
export const FORMS: Readonly<Record<string, TypeForm>> = {
  mcq: {
    kind: 'question',
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
    form: ChoicematrixForm,
    fresh: { stimulus: '', stems: [''], options: ['', ''], ui_style: { type: 'table' }, validation: keyed([[]]) },
  },
  clozetext: {
    kind: 'question',
    form: ClozetextForm,
    fresh: { stimulus: '', template: '<p>{{response}}</p>', validation: keyed(['']) },
  },
  clozedropdown: {
    kind: 'question',
    form: ClozedropdownForm,
    fresh: { stimulus: '', template: '<p>{{response}}</p>', possible_responses: [[]], validation: keyed(['']) },
  },
  association: {
    kind: 'question',
    form: AssociationForm,
    fresh: { stimulus: '', stimulus_list: ['', ''], possible_responses: ['', ''], validation: keyed(['', '']) },
  },
  orderlist: {
    kind: 'question',
    form: OrderlistForm,
    fresh: { stimulus: '', list: ['', ''], validation: keyed([1, 0]) },
  },
  shorttext: {
    kind: 'question',
    form: ShorttextForm,
    fresh: { stimulus: '', max_length: 50, validation: keyed('') },
  },
  longtextV2: {
    kind: 'question',
    form: LongtextForm,
    fresh: { stimulus: '', max_length: 500, validation: { max_score: 5 } },
  },
  formulaV2: {
    kind: 'question',
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
    form: PassageForm,
    fresh: { heading: '', content: '' },
  },
};
