import { AppendActivitiesTags } from './itembank/activities/tags/append-activities-tags';
import { AppendItemsTags } from './itembank/items/tags/append-items-tags';
import { ApplyImport } from './itembank/imports/apply/apply-import';
import { CalculateSubscores } from './jobs/sessions/scores/subscores/calculate-subscores';
import { DuplicateActivities } from './itembank/activities/duplicate/duplicate-activities';
import { DuplicateFeatures } from './itembank/features/duplicate/duplicate-features';
import { DuplicateItems } from './itembank/items/duplicate/duplicate-items';
import { DuplicateQuestions } from './itembank/questions/duplicate/duplicate-questions';
import { GetActivities } from './itembank/activities/get-activities';
import { GetAudit } from './itembank/audit/get-audit';
import { GetBaseTemplates } from './itembank/activities/templates/get-base-templates';
import { GetExports } from './itembank/exports/get-exports';
import { GetFeatures } from './itembank/features/get-features';
import { GetHierarchies } from './itembank/tagging/hierarchies/get-hierarchies';
import { GetHierarchyNodes } from './itembank/tagging/hierarchies/nodes/get-hierarchy-nodes';
import { GetHistory } from './itembank/history/get-history';
import { GetHistoryDiff } from './itembank/history/diff/get-history-diff';
import { GetImportAddress } from './itembank/upload/imports/get-import-address';
import { GetImports } from './itembank/imports/get-imports';
import { GetItems } from './itembank/items/get-items';
import { GetMarkingMarks } from './sessions/marking/marks/get-marking-marks';
import { GetMarkingQuestions } from './sessions/marking/questions/get-marking-questions';
import { GetMarkingQueue } from './sessions/marking/queue/get-marking-queue';
import { GetMarkingRounds } from './sessions/marking/rounds/get-marking-rounds';
import { GetOfflinePackage } from './itembank/offlinepackage/get-offline-package';
import { GetPoolChanges } from './itembank/pools/changes/get-pool-changes';
import { GetPoolFills } from './itembank/pools/fills/get-pool-fills';
import { GetPools } from './itembank/pools/get-pools';
import { GetPlayerTemplates } from './itembank/playertemplates/get-player-templates';
import { GetJobs } from './jobs/get-jobs';
import { GetQuestions } from './itembank/questions/get-questions';
import { GetAdaptiveReports } from './sessions/reports/adaptive/get-adaptive-reports';
import { GetResponseScores } from './sessions/responses/scores/get-response-scores';
import { GetResponses } from './sessions/responses/get-responses';
import { GetScores } from './sessions/scores/get-scores';
import { GetSessionMetadata } from './sessions/metadata/get-session-metadata';
import { GetStatuses } from './sessions/statuses/get-statuses';
import { GetScoring } from './scoring/get-scoring';
import { GetTags } from './itembank/tagging/tags/get-tags';
import { GetTagsByType } from './itembank/tags/get-tags-by-type';
import { GetUploadAddresses } from './itembank/upload/assets/get-upload-addresses';
import { GetTemplates } from './sessions/templates/get-templates';
import { GetWorkflows } from './itembank/workflows/get-workflows';
import { RestoreHistory } from './itembank/history/restore/restore-history';
import { CountItems } from './itembank/facets/count-items';
import { GetWarnings } from './itembank/warnings/get-warnings';
import { SearchItems } from './itembank/search/search-items';
import { GetViews } from './itembank/views/get-views';
import { SetViews } from './itembank/views/set-views';
import { UpdateViews } from './itembank/views/update-views';
import { RevertImport } from './itembank/imports/revert/revert-import';
import { SetActivities } from './itembank/activities/set-activities';
import { SetActivitiesTags } from './itembank/activities/tags/set-activities-tags';
import { SetDatasets } from './jobs/reports/datasets/set-datasets';
import { SetExports } from './itembank/exports/set-exports';
import { SetFailedSubmissions } from './sessions/set-failed-submissions';
import { SetFeatures } from './itembank/features/set-features';
import { SetImports } from './itembank/imports/set-imports';
import { SetItems } from './itembank/items/set-items';
import { SetItemsTags } from './itembank/items/tags/set-items-tags';
import { SetMarkingMarks } from './sessions/marking/marks/set-marking-marks';
import { SetMarkingQueue } from './sessions/marking/queue/set-marking-queue';
import { SetMarkingRounds } from './sessions/marking/rounds/set-marking-rounds';
import { SetPools } from './itembank/pools/set-pools';
import { SetQuestions } from './itembank/questions/set-questions';
import { SetSessionMetadata } from './jobs/sessions/metadata/set-session-metadata';
import { SetSessionsFromTemplate } from './sessions/set-sessions-from-template';
import { RenameTag } from './itembank/tagging/tags/rename-tag';
import { SetHierarchies } from './itembank/tagging/hierarchies/set-hierarchies';
import { SetTags } from './itembank/tagging/tags/set-tags';
import { SetTagsByType } from './itembank/tags/set-tags-by-type';
import { SetWorkflows } from './itembank/workflows/set-workflows';
import { UpdateItem } from './sessions/item/update-item';
import { UpdateJobs } from './jobs/update-jobs';
import { UpdateMarkingMarks } from './sessions/marking/marks/update-marking-marks';
import { UpdateMarkingRounds } from './sessions/marking/rounds/update-marking-rounds';
import { UpdatePools } from './itembank/pools/update-pools';
import { UpdateResponseScores } from './sessions/responses/scores/update-response-scores';
import { UpdateSessionStatuses } from './jobs/sessions/statuses/update-session-statuses';

/** All implemented operations. Add a new one here; everything else follows from its declaration. */
export const operations = [
  AppendActivitiesTags,
  AppendItemsTags,
  ApplyImport,
  CalculateSubscores,
  DuplicateActivities,
  DuplicateFeatures,
  DuplicateItems,
  DuplicateQuestions,
  GetActivities,
  GetAudit,
  GetBaseTemplates,
  GetExports,
  GetFeatures,
  GetHierarchies,
  GetHierarchyNodes,
  GetHistory,
  GetHistoryDiff,
  GetImportAddress,
  GetImports,
  GetItems,
  GetMarkingMarks,
  GetMarkingQuestions,
  GetMarkingQueue,
  GetMarkingRounds,
  GetOfflinePackage,
  GetPlayerTemplates,
  GetPools,
  GetJobs,
  GetQuestions,
  GetAdaptiveReports,
  GetResponseScores,
  GetResponses,
  GetScores,
  GetSessionMetadata,
  GetStatuses,
  GetScoring,
  GetTags,
  GetTagsByType,
  GetUploadAddresses,
  GetTemplates,
  GetWorkflows,
  RestoreHistory,
  CountItems,
  GetWarnings,
  SearchItems,
  GetViews,
  SetViews,
  UpdateViews,
  RevertImport,
  SetActivities,
  SetActivitiesTags,
  SetDatasets,
  SetExports,
  SetFailedSubmissions,
  SetFeatures,
  SetImports,
  SetItems,
  SetItemsTags,
  SetMarkingMarks,
  SetMarkingQueue,
  SetMarkingRounds,
  SetPools,
  SetQuestions,
  SetSessionMetadata,
  SetSessionsFromTemplate,
  RenameTag,
  SetHierarchies,
  SetTags,
  SetTagsByType,
  SetWorkflows,
  UpdateItem,
  UpdateJobs,
  UpdateMarkingMarks,
  UpdateMarkingRounds,
  UpdatePools,
  GetPoolFills,
  GetPoolChanges,
  UpdateResponseScores,
  UpdateSessionStatuses,
];
