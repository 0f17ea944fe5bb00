import { documentOf, prepare } from '../../libs/content/src/domain/document';
import { newOrganisation, NOW, type Ports, scopeOf } from './ports';
import { put, tag } from './writing';

/** The revisions of a record. */
export function historyReaderContract(ports: Ports): void {
  const revisions = (organisation: number, reference: string, family: 'item' | 'widget' | 'activity' = 'item') =>
    ports.history.revisions(organisation, family, reference);

  it('returns nothing for an unknown reference', async () => {
    const organisation = newOrganisation();
    await put(ports, organisation, [{ reference: 'a' }]);
    for (const reference of ['b', 'A', 'a ', '']) expect(await revisions(organisation, reference)).toBeUndefined();
    expect(await revisions(organisation, 'a', 'activity')).toBeUndefined();
    expect(await revisions(newOrganisation(), 'a')).toBeUndefined();
  });

  it('returns all revisions of a record with their content, oldest first', async () => {
    const organisation = newOrganisation();
    const tags = [tag('Subject:Maths'), tag('Grade:1')];
    const first = documentOf({ b: prepare(1), a: prepare(2) });
    const [recordId] = await put(
      ports,
      organisation,
      [{ reference: 'a', status: 'unpublished', body: { b: 1, a: 2 }, tags }],
      { author: { id: 'ada' } },
    );
    await put(
      ports,
      organisation,
      [{ reference: 'a', status: 'published', body: { b: 1, a: 2 }, extras: { e: [] }, tags: [...tags].reverse() }],
      { now: NOW + 10, operation: 'another operation' },
    );
    await put(ports, organisation, [{ reference: 'a', status: null, body: {} }], {
      now: NOW + 20,
      author: { id: 'ben' },
    });
    const always = { presentReference: 'a', reference: 'a', workflowId: null, workflowState: null, origin: null };
    expect(await revisions(organisation, 'a')).toEqual([
      {
        ...always,
        recordId,
        beganAt: NOW,
        author: 'ada',
        operation: 'set itembank/items',
        status: 'unpublished',
        documentHash: first.hash,
        tags,
        body: '{"b":1,"a":2}',
        extras: null,
      },
      {
        ...always,
        recordId,
        beganAt: NOW + 10,
        author: null,
        operation: 'another operation',
        status: 'published',
        documentHash: documentOf({ b: prepare(1), a: prepare(2) }, { e: prepare([]) }).hash,
        tags: [...tags].reverse(),
        body: '{"b":1,"a":2}',
        extras: '{"e":[]}',
      },
      {
        ...always,
        recordId,
        beganAt: NOW + 20,
        author: 'ben',
        operation: 'set itembank/items',
        status: null,
        documentHash: documentOf({}).hash,
        tags: [],
        body: '{}',
        extras: null,
      },
    ]);
  });

  it('follows a record through its references, and reads a reference as the record that has it now', async () => {
    const organisation = newOrganisation();
    await put(ports, organisation, [{ reference: 'a', body: { record: 1 } }]);
    await put(ports, organisation, [{ reference: 'a', to: 'b', body: { record: 1 } }], { now: NOW + 1 });
    await put(ports, organisation, [{ reference: 'a', body: { record: 2 } }], { now: NOW + 2 });
    const summaries = async (reference: string) =>
      (await revisions(organisation, reference))!.map((revision) => [
        revision.presentReference,
        revision.reference,
        revision.body,
      ]);
    expect(await summaries('b')).toEqual([
      ['b', 'a', '{"record":1}'],
      ['b', 'b', '{"record":1}'],
    ]);
    expect(await summaries('a')).toEqual([['a', 'a', '{"record":2}']]);
  });

  it('shows tags with their current case', async () => {
    const organisation = newOrganisation();
    await put(ports, organisation, [{ reference: 'a', tags: [tag('subject:maths')] }]);
    await ports.tags.define([tag('SUBJECT:Maths')], scopeOf(organisation));
    expect(await revisions(organisation, 'a')).toMatchObject([{ tags: [tag('SUBJECT:Maths')] }]);
  });

  it('returns hundreds of revisions', async () => {
    const organisation = newOrganisation();
    await ports.database.run(async () => {
      for (let n = 1; n <= 120; n++) await put(ports, organisation, [{ reference: 'a', body: { n } }]);
    });
    const all = (await revisions(organisation, 'a'))!;
    expect(all.map(({ body }) => body)).toEqual(Array.from({ length: 120 }, (_, index) => `{"n":${index + 1}}`));
  });
}
