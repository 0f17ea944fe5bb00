import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { AsSent } from '../http/body-validation';

/* Bodies of the delivery service. Undeclared members are dropped. */

/** More than any test has. */
const MAX_RESPONSES = 5_000;
const MAX_ITEMS = 1_000;
const MAX_ID_LENGTH = 150;
const MAX_PASSWORD_LENGTH = 1_000;
/** Seconds: a day. */
const MAX_EXTENSION = 86_400;
/** Seconds: a year. */
const MAX_SECONDS = 31_622_400;

export class StartBody {
  /** The signed request as an SDK prints it. */
  @AsSent()
  @IsObject({ message: 'security must be the object that was signed' })
  security!: Record<string, unknown>;

  /** The exact text that was signed. */
  @IsString({ message: 'request must be the text that was signed: JSON.stringify of the object that an SDK prints' })
  @IsNotEmpty({ message: 'request is required: the text that was signed' })
  request!: string;

  /** Signed with the rest, if there is one. */
  @IsOptional()
  @IsString()
  @MaxLength(20)
  action?: string;
}

class SavedItem {
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  id!: string;

  /** Seconds. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_SECONDS)
  time?: number;

  @IsOptional()
  @IsBoolean()
  user_flagged?: boolean;
}

export class SaveBody {
  @IsInt()
  @Min(1)
  @Max(2 ** 31 - 1)
  save_number!: number;

  /** By response_id: the value of a question's element, or null when the learner emptied it. */
  @AsSent()
  @IsObject({ message: 'responses must be an object of responses by their ids' })
  responses!: Record<string, unknown>;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @ValidateNested({ each: true })
  @Type(() => SavedItem)
  items?: SavedItem[];

  /** Id of the item. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  current_item?: string | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_SECONDS)
  elapsed_seconds?: number;
}

export class PauseBody {
  @IsBoolean()
  paused!: boolean;
}

export class SupervisionBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_PASSWORD_LENGTH)
  password!: string;

  /** Absent: only the password is checked. */
  @IsOptional()
  @IsIn(['extend', 'discard'])
  action?: 'extend' | 'discard';

  /** To extend: the additional time. */
  @ValidateIf(({ action }: SupervisionBody) => action === 'extend')
  @IsInt()
  @Min(1)
  @Max(MAX_EXTENSION)
  seconds?: number;
}

export class CheckBody {
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  response_id!: string;

  @AsSent()
  @IsOptional()
  @IsObject({ message: 'response must be an object with the value, or null' })
  response?: Record<string, unknown> | null;
}

export { MAX_RESPONSES };
