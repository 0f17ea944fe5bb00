export { type AnonymousCopies, AnonymousSessions } from './application/anonymous-sessions';
export { Datasets } from './application/datasets';
export { REPORT_LANGUAGES } from './application/report/report-texts';
export { DATASET_TYPES, type DatasetType } from './application/targets';
export { ReportingModule } from './reporting.module';
