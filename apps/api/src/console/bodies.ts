import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
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
