import { flag, words } from '../../declaration/fields';
import { bank, meta } from '../../declaration/inputs';

/* Shared by the two operations that save sessions. `data_format` selects one; the first is the default. */

export const DATA_FORMATS = ['failed_submission', 'from_template'] as const;

export const dataFormat = words(DATA_FORMATS, { description: 'Format of `data`.' });

export const common = {
  ...bank,
  ...meta,
  ignore_response_revisions: flag(
    'Whether a response is saved even if a higher revision is stored; otherwise the job refuses its session.',
  ),
};
