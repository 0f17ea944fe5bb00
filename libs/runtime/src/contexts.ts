import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { DeliveryModule } from '#delivery';
import { EventsModule } from '#events';
import { InterchangeModule } from '#interchange';
import { JobsModule } from '#jobs';
import { LearnersModule } from '#learners';
import { MarkingModule } from '#marking';
import { PeopleModule } from '#people';
import { PoolsModule } from '#pools';
import { ReportingModule } from '#reporting';
import { RescoringModule } from '#rescoring';
import { SessionsModule } from '#sessions';
import { TaggingModule } from '#tagging';
import { WorkflowsModule } from '#workflows';

/** The contexts that every program loads, the API and the workers alike. */
export const contexts = [
  AccessModule,
  PeopleModule,
  JobsModule,
  EventsModule,
  TaggingModule,
  WorkflowsModule,
  ContentModule,
  PoolsModule,
  SessionsModule,
  MarkingModule,
  RescoringModule,
  ReportingModule,
  DeliveryModule,
  LearnersModule,
  InterchangeModule,
];
