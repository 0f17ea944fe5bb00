import { foundation } from './0001-foundation';
import { authoring } from './0002-authoring';
import { jobs } from './0003-jobs';
import { pools } from './0004-pools';
import { files } from './0005-files';
import { sessions } from './0006-sessions';
import { events } from './0007-events';
import { fileNames } from './0008-file-names';
import { rescoring } from './0009-rescoring';
import { appliedAt } from './0010-applied-at';
import { erasure } from './0011-erasure';
import { jobOrigin } from './0012-job-origin';
import { openLines } from './0013-open-lines';
import { customStates } from './0014-custom-states';
import { formerPlaces } from './0015-former-places';
import { delivery } from './0016-delivery';
import { people } from './0017-people';
import { search } from './0018-search';
import { imports } from './0019-imports';
import { savedViews } from './0020-saved-views';
import { marking } from './0021-marking';
import { tagSuccessors } from './0022-tag-successors';
import { auditLists } from './0023-audit-lists';
import { pausedReceivers } from './0024-paused-receivers';
import { jobsByType } from './0025-jobs-by-type';
import { fillsOfPools } from './0026-fills-of-pools';
import { answersOfMarks } from './0027-answers-of-marks';

/** All migrations, oldest first. They are never changed once released; a new one is added at the end. */
export const migrations = [
  foundation,
  authoring,
  jobs,
  pools,
  files,
  sessions,
  events,
  fileNames,
  rescoring,
  appliedAt,
  erasure,
  jobOrigin,
  openLines,
  customStates,
  formerPlaces,
  delivery,
  people,
  search,
  imports,
  savedViews,
  marking,
  tagSuccessors,
  auditLists,
  pausedReceivers,
  jobsByType,
  fillsOfPools,
  answersOfMarks,
];
