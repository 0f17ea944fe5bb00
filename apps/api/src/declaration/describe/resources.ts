import { type JsonSchema } from './json-schema';
import { BaseTemplate, PlayerTemplate, Tag, TagHierarchy, TagNode, Workflow } from './resources/authoring';
import { Activity, ActivityItem, AssetUpload, Feature, Item, ItemCopy, Question, SearchHit } from './resources/content';
import { Export, Import, ImportUpload, StartedImport } from './resources/interchange';
import {
  AnswerToMark,
  GivenMark,
  MarkedAnswer,
  MarkedQuestion,
  MarkingRound,
  StartedMarkingRound,
  TakenAnswer,
} from './resources/marking';
import { Pool, StartedFill } from './resources/pools';
import { SessionTemplate } from './resources/session-template';
import { AdaptiveReport, Session, SessionMetadata, SessionScores, SessionStatus } from './resources/session-reads';
import { ResponseScore } from './resources/scoring';
import { Job, PatchOperation, Revision, StartedDataset, StartedJob, User } from './resources/history-and-jobs';

/** The records that reads return. Operations name them in their output as Type.Ref('Item'). */
export const resources: Record<string, JsonSchema> = {
  Item,
  ItemCopy,
  SearchHit,
  Question,
  Feature,
  Activity,
  ActivityItem,
  AssetUpload,
  User,
  Tag,
  TagHierarchy,
  TagNode,
  PlayerTemplate,
  BaseTemplate,
  Revision,
  Pool,
  StartedFill,
  ImportUpload,
  StartedImport,
  Import,
  Export,
  Job,
  StartedJob,
  StartedDataset,
  PatchOperation,
  Workflow,
  ResponseScore,
  SessionTemplate,
  Session,
  SessionScores,
  SessionStatus,
  SessionMetadata,
  AdaptiveReport,
  StartedMarkingRound,
  MarkingRound,
  MarkedQuestion,
  TakenAnswer,
  AnswerToMark,
  GivenMark,
  MarkedAnswer,
};
