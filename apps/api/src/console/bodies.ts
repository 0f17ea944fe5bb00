import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { RATE_PATTERN } from '#access';
import { EVENT_KINDS, type EventKind, MAX_STREAM_LENGTH, NAME_LENGTH, STREAM_LENGTH, URL_LENGTH } from '#events';
import { ROLES, type Role } from '#people';

const MAX_TEXT = 1_000;
const text = { message: ({ property }: { property: string }) => `${property} must be text` };
const tooLong = { message: `may have ${MAX_TEXT} characters` };

export class SignInBody {
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  email!: string;

  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  password!: string;
}

export class PasswordBody {
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  password!: string;
}

export class NewPasswordBody {
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  current!: string;

  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  password!: string;
}

export class LookBody {
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  link!: string;
}

export class LinkBody extends LookBody {
  @IsOptional()
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  password?: string | null;
}

/** The roles of a person in one organisation. */
export class RolesBody {
  @IsInt({ message: 'organisation must be the number of an organisation' })
  @Min(1, { message: 'organisation must be the number of an organisation' })
  @Max(2_147_483_647, { message: 'organisation must be the number of an organisation' })
  organisation!: number;

  @IsArray({ message: 'roles must be a list' })
  @ArrayMaxSize(20, { message: 'roles may have 20 entries' })
  @IsIn(ROLES, { each: true, message: `roles must be of ${ROLES.join(', ')}` })
  roles!: Role[];

  /** The roles that the operator saw. If others are stored, the change is refused. */
  @IsOptional()
  @IsArray({ message: 'before must be a list' })
  @ArrayMaxSize(20, { message: 'before may have 20 entries' })
  @IsString({ each: true, message: 'before must be a list of texts' })
  before?: string[] | null;
}

export class PersonBody {
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  email!: string;

  @IsOptional()
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  firstname?: string | null;

  @IsOptional()
  @IsString(text)
  @MaxLength(MAX_TEXT, tooLong)
  lastname?: string | null;

  @ValidateNested({ each: true })
  @Type(() => RolesBody)
  @IsArray({ message: 'roles must be a list' })
  @ArrayMaxSize(100, { message: 'roles may have 100 entries' })
  roles!: RolesBody[];
}

export class PersonChangesBody {
  @IsOptional()
  @IsIn(['active', 'disabled'], { message: 'status must be active or disabled' })
  status?: 'active' | 'disabled' | null;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => RolesBody)
  @IsArray({ message: 'roles must be a list' })
  @ArrayMaxSize(100, { message: 'roles may have 100 entries' })
  roles?: RolesBody[] | null;
}

export class NewLinkBody {
  @IsIn(['sign-in', 'invitation', 'reset'], { message: 'purpose must be sign-in, invitation or reset' })
  purpose!: 'sign-in' | 'invitation' | 'reset';
}

export class ConsumerBody {
  @IsString(text)
  @MaxLength(255, { message: 'may have 255 characters' })
  label!: string;

  @IsArray({ message: 'domains must be a list' })
  @ArrayMaxSize(100, { message: 'domains may have 100 entries' })
  @IsString({ each: true, message: 'domains must be texts' })
  @MaxLength(255, { each: true, message: 'domains may have 255 characters each' })
  domains!: string[];

  @IsInt({ message: 'organisation must be the number of an organisation' })
  @Min(1, { message: 'organisation must be the number of an organisation' })
  organisation!: number;

  @IsIn(['read', 'write'], { message: 'access must be read or write' })
  access!: 'read' | 'write';
}

export class ConsumerStatusBody {
  @IsIn(['active', 'disabled'], { message: 'status must be active or disabled' })
  status!: 'active' | 'disabled';
}

/** The number of requests in 5 seconds for operations of a pattern. */
class RateLimitBody {
  @IsString(text)
  @MaxLength(255, { message: 'pattern may have 255 characters' })
  @Matches(RATE_PATTERN, { message: 'pattern must be an action and a path, such as "set itembank/*", or *' })
  pattern!: string;

  @IsInt({ message: 'limit must be a whole number' })
  @Min(0, { message: 'limit must be 0 or more; 0 refuses all' })
  @Max(999_999_999, { message: 'limit may be 999999999' })
  limit!: number;
}

export class RateLimitsBody {
  @ValidateNested({ each: true, message: 'rate_limits must be patterns and limits' })
  @Type(() => RateLimitBody)
  @IsArray({ message: 'rate_limits must be a list' })
  @ArrayMaxSize(100, { message: 'rate_limits may have 100 entries' })
  rate_limits!: RateLimitBody[];
}

export class OrganisationNameBody {
  @IsString(text)
  @MaxLength(255, { message: 'may have 255 characters' })
  @Matches(/\S/, { message: 'name must not be blank' })
  name!: string;
}

export class OrganisationBody extends OrganisationNameBody {
  @IsInt({ message: 'id must be the number of an organisation' })
  @Min(1, { message: 'id must be 1 or more' })
  @Max(2_147_483_647, { message: 'id may be 2147483647' })
  id!: number;
}

export class RotateBody {
  @IsInt({ message: 'overlap_hours must be a whole number' })
  @Min(0, { message: 'overlap_hours must be 0 or more' })
  @Max(720, { message: 'overlap_hours may be 720' })
  overlap_hours!: number;
}

/** A learner of an organisation. */
export class LearnerBody {
  @IsInt({ message: 'organisation must be the number of an organisation' })
  @Min(1, { message: 'organisation must be the number of an organisation' })
  organisation!: number;

  /** Exactly as callers sent it. */
  @IsString(text)
  @MinLength(1, { message: 'user_id must not be empty' })
  @MaxLength(MAX_TEXT, tooLong)
  user_id!: string;
}

/** A receiver of events. */
class SinkBody {
  @IsString(text)
  @MaxLength(NAME_LENGTH, { message: `name may have ${NAME_LENGTH} characters` })
  @Matches(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, {
    message: 'name may have letters, digits, dot, underscore and dash, and begins with a letter or a digit',
  })
  name!: string;

  @IsArray({ message: 'kinds must be a list' })
  @ArrayMinSize(1, { message: 'kinds must name at least one kind' })
  @ArrayMaxSize(20, { message: 'kinds may have 20 entries' })
  @IsIn(EVENT_KINDS, { each: true, message: `kinds must be of ${EVENT_KINDS.join(', ')}` })
  kinds!: EventKind[];
}

export class WebhookBody extends SinkBody {
  @IsString(text)
  @MaxLength(URL_LENGTH, { message: `url may have ${URL_LENGTH} characters` })
  url!: string;
}

export class StreamBody extends SinkBody {
  @IsString(text)
  @MaxLength(STREAM_LENGTH, { message: `stream may have ${STREAM_LENGTH} characters` })
  @Matches(/^[ -~]+$/, { message: 'stream must be printable ASCII characters' })
  stream!: string;

  @IsInt({ message: 'max_length must be a whole number' })
  @Min(1, { message: 'max_length must be 1 or more' })
  @Max(MAX_STREAM_LENGTH, { message: `max_length may be ${MAX_STREAM_LENGTH}` })
  max_length!: number;
}

export class SinkChangesBody {
  @IsBoolean({ message: 'paused must be true or false' })
  paused!: boolean;
}

export class RedeliveryBody {
  @IsString(text)
  @MaxLength(NAME_LENGTH, { message: `sink may have ${NAME_LENGTH} characters` })
  sink!: string;

  /** Absent: all that were given up. */
  @IsOptional()
  @IsArray({ message: 'events must be a list' })
  @ArrayMinSize(1, { message: 'events must name at least one event' })
  @ArrayMaxSize(100, { message: 'events may have 100 entries' })
  @IsString({ each: true, message: 'events must be ids' })
  @MaxLength(MAX_TEXT, { each: true, message: 'events must be ids' })
  events?: string[] | null;
}
