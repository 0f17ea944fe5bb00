import { Injectable } from '@nestjs/common';
import { type JsonText } from '#kernel';
import { type Kind, type StoredRecord } from '../domain/record';

/** What a package holds, for who adds files to it. */
export interface PackedRecords {
  organisation: number;
  /** Of the job: the same in all of its attempts. */
  reference: string;
  /** References. */
  activities: readonly string[];
  /** Records as the package shows them, in the order of the references; those that there are not are left out. */
  records(organisation: number, kind: Kind, references: Iterable<string>): AsyncIterable<StoredRecord>;
  /** A JSON text with the addresses of assets as they are below the folder of the package. */
  rewritten(text: JsonText): JsonText;
}

export interface PackedFile {
  path: string;
  contentType: string;
  content: AsyncIterable<Buffer | string>;
}

/** A context after this one that adds files to packages. */
export interface PackagePart {
  files(packed: PackedRecords): AsyncIterable<PackedFile>;
}

/** What goes into packages beside records and assets: each context adds its part. */
@Injectable()
export class PackageParts {
  readonly all: PackagePart[] = [];

  add(part: PackagePart): void {
    this.all.push(part);
  }
}
