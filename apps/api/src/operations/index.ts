import { AppendActivitiesTags } from './itembank/activities/tags/append-activities-tags';
import { AppendItemsTags } from './itembank/items/tags/append-items-tags';
import { GetActivities } from './itembank/activities/get-activities';
import { GetFeatures } from './itembank/features/get-features';
import { GetItems } from './itembank/items/get-items';
import { GetQuestions } from './itembank/questions/get-questions';
import { GetTags } from './itembank/tagging/tags/get-tags';
import { GetTagsByType } from './itembank/tags/get-tags-by-type';
import { SetActivities } from './itembank/activities/set-activities';
import { SetActivitiesTags } from './itembank/activities/tags/set-activities-tags';
import { SetFeatures } from './itembank/features/set-features';
import { SetItems } from './itembank/items/set-items';
import { SetItemsTags } from './itembank/items/tags/set-items-tags';
import { SetQuestions } from './itembank/questions/set-questions';
import { SetTags } from './itembank/tagging/tags/set-tags';
import { SetTagsByType } from './itembank/tags/set-tags-by-type';

/** All operations that are built. A new one is added here; everything else follows from its declaration. */
export const operations = [
  AppendActivitiesTags,
  AppendItemsTags,
  GetActivities,
  GetFeatures,
  GetItems,
  GetQuestions,
  GetTags,
  GetTagsByType,
  SetActivities,
  SetActivitiesTags,
  SetFeatures,
  SetItems,
  SetItemsTags,
  SetQuestions,
  SetTags,
  SetTagsByType,
];
