import { Injectable } from '@nestjs/common';
import { type JsonText } from '#kernel';
import { type Kind, type StoredRecord } from '../domain/record';

/** The content of a package, for contexts that add files to it. */
export interface PackedRecords {
  organisation: number;
  /** The reference of the job; the same in all attempts. */
  reference: string;
  /** References. */
  activities: readonly string[];
  /** Records in the format of the package, in the order of the references. Unknown references are omitted. */
  records(organisation: number, kind: Kind, references: Iterable<string>): AsyncIterable<StoredRecord>;
  /** A JSON text with the addresses of assets replaced by paths in the package. */
  rewritten(text: JsonText): JsonText;
}

export interface PackedFile {
  path: string;
  contentType: string;
  content: AsyncIterable<Buffer | string>;
}

/** A context that adds files to packages. */
export interface PackagePart {
  files(packed: PackedRecords): AsyncIterable<PackedFile>;
}

/** The parts of packages besides records and assets. Each context registers its own. */
@Injectable()
export class PackageParts {
  readonly all: PackagePart[] = [];

  add(part: PackagePart): void {
    this.all.push(part);
  }
}
