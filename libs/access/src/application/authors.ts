import { Injectable } from '@nestjs/common';
import { type Author, type Scope } from '#kernel';
import { AuthorStore } from './ports/author-store';

@Injectable()
export class Authors {
  constructor(private readonly store: AuthorStore) {}

  /** Creates the scope's author if unknown, and updates changed names. Call it inside a unit of work. */
  async ensure(scope: Scope): Promise<void> {
    const { author, now } = scope;
    if (!author) return;
    const organisation = scope.shelf.organisation;
    const [known] = await this.store.find(organisation, [author.id]);
    const changed = !known || NAMES.some((name) => author[name] !== undefined && author[name] !== known[name]);
    if (changed) await this.store.put(organisation, author, now);
  }

  /** The authors by their ids. Ids may repeat, and null stands for no author. */
  async find(organisation: number, ids: readonly (string | null)[]): Promise<Map<string, Author>> {
    const named = [...new Set(ids.filter((id) => id !== null))];
    const authors = named.length > 0 ? await this.store.find(organisation, named) : [];
    return new Map(authors.map((author) => [author.id, author]));
  }

  /** The author with this id in each organisation. */
  async everywhere(id: string): Promise<(Author & { organisation: number })[]> {
    return this.store.everywhere(id);
  }

  /** Removes names and address of the author in all organisations; the id stays. */
  async forget(id: string): Promise<void> {
    await this.store.forget(id);
  }
}

const NAMES = ['firstname', 'lastname', 'email'] as const;
