import { type JsonSchema } from './json-schema';
import { BaseTemplate, PlayerTemplate, Tag, TagHierarchy, TagNode, Workflow } from './resources/authoring';
import { Activity, ActivityItem, AssetUpload, Feature, Item, ItemCopy, Question } from './resources/content';
import { Pool, StartedFill } from './resources/pools';
import { ResponseScore } from './resources/scoring';
import { Job, PatchOperation, Revision, StartedJob, User } from './resources/history-and-jobs';

/** The records that reads answer with. Operations name them in their output as Type.Ref('Item'). */
export const resources: Record<string, JsonSchema> = {
  Item,
  ItemCopy,
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
  Job,
  StartedJob,
  PatchOperation,
  Workflow,
  ResponseScore,
};
