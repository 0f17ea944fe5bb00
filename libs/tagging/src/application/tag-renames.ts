import { Injectable } from '@nestjs/common';
import { Audit } from '#access';
import { checkRevisions, Fault, foldCase, place, type Scope } from '#kernel';
import { type Tag, type TagName } from '../domain/tag';
import { tagKey } from '../domain/tag-key';
import { TagStore } from './ports/tag-store';
import { TagHierarchies } from './tag-hierarchies';
import { Tags } from './tags';

/** A new name for a tag. If the type has a tag of this name, the two are merged. */
export interface TagRename extends TagName {
  newName: string;
  /** The tag must have this revision. */
  ifRevision?: number;
}

/** The tag that a rename replaces, and its uses. */
export interface TagReplacement {
  /** Id of the tag that is replaced. */
  id: string;
  tag: TagName;
  successor: TagName;
  /** Whether the bank already shows a tag of the new name. */
  merges: boolean;
  items: number;
  activities: number;
  /** References of the hierarchies with a level of the type. */
  hierarchies: string[];
}

/** Renaming and merging of tags (decision 89). */
@Injectable()
export class TagRenames {
  constructor(
    private readonly store: TagStore,
    private readonly tags: Tags,
    private readonly hierarchies: TagHierarchies,
    private readonly audit: Audit,
  ) {}

  /** The tag that a rename would replace, and its uses. @throws Fault as {@link begin}. */
  async preview(rename: TagRename, organisation: number): Promise<TagReplacement> {
    const { tag, target } = await this.find(rename, organisation);
    const type = foldCase(tag.type);
    const [uses, hierarchies] = await Promise.all([
      this.store.uses(organisation, [tag.id]),
      this.hierarchies.find(organisation),
    ]);
    const { items, activities } = uses.get(tag.id) ?? { items: 0, activities: 0 };
    return {
      id: tag.id,
      tag: { type: tag.type, name: tag.name },
      successor: { type: tag.type, name: target?.name ?? rename.newName },
      merges: target !== undefined,
      items,
      activities,
      hierarchies: hierarchies
        .filter(({ tagTypes }) => tagTypes.some(({ name }) => foldCase(name) === type))
        .map(({ reference }) => reference),
    };
  }

  /**
   * Makes a tag of the new name the successor of the old one, and creates it if necessary. A tag that is not shown yet gets the
   * description and sort key of the old one. Returns both ids; the caller replaces the old tag on content. Call it inside a unit
   * of work.
   * @throws Fault 20014 for a tag that does not exist, 20004 for a name that differs only in case, 20011 for another revision than
   *   expected.
   */
  async begin(rename: TagRename, scope: Scope): Promise<{ from: string; to: string }> {
    const { organisation } = scope.shelf;
    const named = { type: rename.type, name: rename.newName };
    await this.store.lock(organisation, [rename, named]);
    const { tag, target } = await this.find(rename, organisation);
    const definition = { type: tag.type, name: rename.newName, description: tag.description, sortKey: tag.sortKey };
    if (!target) await this.tags.define([definition], scope);
    const to = (await this.store.ids(organisation, [named])).get(tagKey(named))!;
    await this.store.succeed(organisation, tag, to, scope.now);
    await this.audit.record(
      [
        {
          subject: 'tag',
          key: tagKey(tag),
          detail: {
            before: { type: tag.type, name: tag.name },
            after: { type: tag.type, name: target?.name ?? rename.newName },
            merged: target !== undefined,
          },
        },
      ],
      scope,
    );
    return { from: tag.id, to };
  }

  private async find(rename: TagRename, organisation: number): Promise<{ tag: Tag; target?: Tag }> {
    const { type, name, newName, ifRevision } = rename;
    if (foldCase(name) === foldCase(newName))
      throw new Fault(
        'value',
        `${place('/new_name')} differs from name only in upper and lower case; set itembank/tagging/tags changes the case.`,
        '/new_name',
      );
    const { entries } = await this.store.find({
      organisation,
      types: [type],
      names: [name, newName],
      sort: { field: 'created', ascending: true },
      limit: 2,
    });
    const of = (wanted: string) => entries.find((tag) => foldCase(tag.name) === foldCase(wanted));
    const tag = of(name);
    if (!tag)
      throw new Fault(
        'tag-unknown',
        `name: there is no tag ${JSON.stringify(name)} of the type ${JSON.stringify(type)}.`,
        '/name',
      );
    const reference = tagKey(tag);
    checkRevisions([{ reference, name: `${tag.type}: ${tag.name}`, ifRevision, at: '' }], new Map([[reference, tag]]));
    return { tag, target: of(newName) };
  }
}
