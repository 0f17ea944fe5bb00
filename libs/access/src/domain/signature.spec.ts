import { Fault } from '#kernel';

import { sign, verify, type SignatureScheme, type SignedRequest } from './signature';

const SECRET = 'example-consumer-secret-for-tests-only';
const REQUEST = '{"limit":100}';
const E = { expires: '20260601-0000' };
const U = { userId: 'a-user-id' };

type Extra = { expires?: string; userId?: string; domain?: string };

function signed(signature: string, extra: Extra = {}, request?: string, action?: string): SignedRequest {
  const security = { consumerKey: 'example-consumer', domain: 'localhost', timestamp: '20260102-0304', signature };
  return { security: { ...security, ...extra }, request, action };
}

function faultOf(run: () => void): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

function accepts(request: SignedRequest, secrets = [SECRET], legacyAllowed = false): boolean {
  try {
    verify(request, secrets, { legacyAllowed });
    return true;
  } catch (error) {
    if (error instanceof Fault && error.kind === 'signature') return false;
    throw error;
  }
}

// Requests with their signatures: scheme, extra security, request, action, signature.
// prettier-ignore
const VECTORS: [number, SignatureScheme, Extra, string | undefined, string | undefined, string][] = [
  [1, 'current', {}, REQUEST, 'get', '$02$d3ba22b4cba11c6475fa553677e602c8a9bc137b9f15854a772e9bc61651383d'],
  [2, 'current', {}, REQUEST, 'set', '$02$299f8968e82b794685371867cefaaa47defdb7f475b607c3e082d5fade3bd264'],
  [3, 'current', {}, REQUEST, undefined, '$02$2097c1c75eaffc82fceaae8bf10e587f9575139dfc855da0661cc9fd9be0d16a'],
  [4, 'current', {}, undefined, undefined, '$02$911a7b36f0e323bcae2502f6ba335310e5d278c5f087cb194c1bae29ed5be421'],
  [5, 'current', E, REQUEST, 'get', '$02$5b6a2bdd3e9b46a9b0ea46af4b0522f02ca6dc1274400cf6cb99c338ac238221'],
  [6, 'current', U, REQUEST, 'get', '$02$79fc370035fe9f6ff776165f456dc79351ad8bb318b579b6c8eb051dacfbd37a'],
  [7, 'current', { ...E, ...U }, REQUEST, 'update', '$02$e2436c79382b1df80b1965f2e876d3692adfb76460c2f00af6d16b225d9ce20a'],
  [8, 'current', {}, '{"references":["тест/ä–☃😀"]}', 'get', '$02$0bbfe194d645a4c233006baa98021171e7874406bde3177f451604a8792fb211'],
  [9, 'current', {}, '[]', 'get', '$02$76ee8f509bf92adcfe593793e97c53719e6b24dd667c0baac1e302f813e0989c'],
  [10, 'legacy', {}, REQUEST, 'get', '9749b74a3743647d2d415f0f5e968c5fc62ab61aec19a88104d041ec0bc57e0c'],
  [11, 'legacy', {}, REQUEST, undefined, '4754e0e0367f289be2e43e25b2ee8aea79ee738220a16ebdc2a3068a7bff17df'],
  [12, 'legacy', {}, '{"references":["\\u0442\\u0435\\u0441\\u0442"]}', 'get', 'dfc329c30bed98e57a57989df851a488cf906eaa659473209f3156a1338a3f86'],
  [13, 'legacy', { ...E, ...U }, REQUEST, 'update', '20900498b2473cf9d72e583e17f316e0f21fc21f64d9186f31ff86b5aa64d7a8'],
];

const FIRST = VECTORS[0]![5];
const LEGACY = VECTORS[9]![5];

describe('the published test vectors', () => {
  test.each(VECTORS)(
    'have the signature that we make: vector %i (%s)',
    (_, scheme, extra, request, action, signature) => {
      const { security } = signed('', extra);
      expect(sign({ security, request, action }, SECRET, scheme)).toBe(signature);
    },
  );

  test.each(VECTORS)('are accepted: vector %i (%s)', (_, scheme, extra, request, action, signature) => {
    expect(accepts(signed(signature, extra, request, action), [SECRET], scheme === 'legacy')).toBe(true);
  });

  test('show that an empty request and action equal absent ones', () => {
    expect(accepts(signed(VECTORS[3]![5], {}, '', ''))).toBe(true);
  });
});

// Computed with Python's hmac and hashlib.
describe('the signed text', () => {
  test.each([
    ['blanks', '{ "limit" : 100 }', '$02$5e3148d66c53e78c4bd1a71cec909b5efc81e3f4b148a9e64f12620a0aaa561d'],
    ['an empty list', '[]', '$02$b445d0e0494b3a2ce5808c32dc71fb714ca8d008276126c41348b35dc7971baf'],
    ['a raw emoji', '{"a":"😀"}', '$02$118240cdd2c9d3887dd82b8542cb73297f9ee48082b04371366ecd00ce061f9a'],
    [
      'an escaped emoji',
      '{"a":"\\ud83d\\ude00"}',
      '$02$2c367689aac2bd4f15cac4e7b1814bb2a4a35be14b78abe31193403c06b22a73',
    ],
    ['raw letters', '{"references":["тест"]}', '$02$bb69e874a5dc23ac1204536c400dc93a67dc689e8928c4127b9ac616284c38ac'],
    [
      'escaped letters',
      '{"references":["\\u0442\\u0435\\u0441\\u0442"]}',
      '$02$ebcdb25b7c5f2a7216a0e35d6aa58d24b95fba052b8e4a3af3fa51dfad4ad1e0',
    ],
  ])('is compared exactly: %s', (_, request, signature) => {
    expect(accepts(signed(signature, {}, request, 'set'))).toBe(true);
  });

  test('does not match the same JSON in another notation', () => {
    expect(accepts(signed(FIRST, {}, '{"limit": 100}', 'get'))).toBe(false);
    expect(accepts(signed(VECTORS[8]![5], {}, '{}', 'get'))).toBe(false);
  });

  test('may contain any action word', () => {
    const signature = '$02$c81cc2fd8ec877a13f24d74fd234349427c2dc8f31a31909233205604a791f20';
    expect(accepts(signed(signature, {}, REQUEST, 'post'))).toBe(true);
  });
});

describe('an expires or user_id that is present but empty', () => {
  const dropped = FIRST;
  test.each([
    ['expires dropped', { expires: '' }, dropped],
    ['user_id dropped', { userId: '' }, dropped],
    ['both dropped', { expires: '', userId: '' }, dropped],
    ['expires kept', { expires: '' }, '$02$db1644b9bc7bfe6e72b73bbe5a3fab526949a661b0b331f391b6530eb587b5d6'],
    ['user_id kept', { userId: '' }, '$02$db1644b9bc7bfe6e72b73bbe5a3fab526949a661b0b331f391b6530eb587b5d6'],
    ['both kept', { expires: '', userId: '' }, '$02$0283dcfe36a61701d238dd8b32288659cd8c4ba7876a1054d915d9961de0fc5c'],
    [
      'user_id kept after expires',
      { ...E, userId: '' },
      '$02$5e6c262d5eea9e36e5c2ad550c635546061d197a9bf1de01603d6461c434f08f',
    ],
    ['user_id dropped after expires', { ...E, userId: '' }, VECTORS[4]![5]],
  ])('accepts %s', (_, extra, signature) => {
    expect(accepts(signed(signature, extra, REQUEST, 'get'))).toBe(true);
  });

  test('accepts the same in the legacy scheme', () => {
    const kept = 'ac3bad3d0b409ed4581803e859d4cacf76edfc8ecbe96a2aa4c210c0ed263003';
    expect(accepts(signed(kept, { userId: '' }, REQUEST, 'get'), [SECRET], true)).toBe(true);
    expect(accepts(signed(LEGACY, { userId: '' }, REQUEST, 'get'), [SECRET], true)).toBe(true);
  });

  test('signs the empty part', () => {
    const { security } = signed('', { expires: '' });
    expect(sign({ security, request: REQUEST, action: 'get' }, SECRET, 'current')).toBe(
      '$02$db1644b9bc7bfe6e72b73bbe5a3fab526949a661b0b331f391b6530eb587b5d6',
    );
  });
});

describe('verify', () => {
  test.each([
    ['another request', signed(FIRST, {}, '{"limit":101}', 'get')],
    ['no request', signed(FIRST, {}, undefined, 'get')],
    ['another action', signed(FIRST, {}, REQUEST, 'set')],
    ['no action', signed(FIRST, {}, REQUEST)],
    ['another domain', signed(FIRST, { domain: 'example.org' }, REQUEST, 'get')],
    ['an expires that was not signed', signed(FIRST, E, REQUEST, 'get')],
    ['a user_id that was not signed', signed(FIRST, U, REQUEST, 'get')],
    ['a changed digit', signed(FIRST.replace(/d$/, 'e'), {}, REQUEST, 'get')],
    ['68 characters that are not hex', signed(`$02$${'z'.repeat(64)}`, {}, REQUEST, 'get')],
    ['a current digest sent without its prefix', signed(FIRST.slice(4), {}, REQUEST, 'get')],
  ])('rejects %s', (_, request) => {
    expect(accepts(request, [SECRET], true)).toBe(false);
  });

  test('rejects the request when the secret differs, and when the consumer has no secret', () => {
    const request = signed(FIRST, {}, REQUEST, 'get');
    expect(accepts(request, [`${SECRET}x`])).toBe(false);
    expect(accepts(request, [])).toBe(false);
  });

  test('explains the problem without giving anything away', () => {
    const { message, kind, at } = faultOf(() =>
      verify(signed(FIRST, {}, REQUEST, 'set'), [SECRET], { legacyAllowed: true }),
    );
    expect({ kind, at }).toEqual({ kind: 'signature', at: '/security/signature' });
    expect(message).toMatch(/secret.*exact text.*request.*action/s);
    expect(message).not.toContain(SECRET);
    expect(message).not.toMatch(/[0-9a-f]{16}/);
  });

  test('rejects a write whose request and action were moved into user_id', () => {
    // The signature for the request {"items":[]} and the action set, which give the same joined text.
    const signature = '$02$dbc34dbc5138acdc31a418a789e58c5b63b364dfe633e5c9b6fd0553cbb59dc9';
    expect(accepts(signed(signature, {}, '{"items":[]}', 'set'))).toBe(true);
    expect(accepts(signed(signature, { userId: '{"items":[]}_set' }))).toBe(false);
  });
});

test('accepts each of several secrets during a rotation', () => {
  const second = '$02$aaf083712139c8addce75a4198b93f1d44595a054a4a6b4c13860ee0e1a48cc4';
  for (const signature of [FIRST, second]) {
    expect(accepts(signed(signature, {}, REQUEST, 'get'), [SECRET, 'the-second-secret'])).toBe(true);
    expect(accepts(signed(signature, {}, REQUEST, 'get'), ['the-second-secret', SECRET])).toBe(true);
  }
  expect(accepts(signed(FIRST, {}, REQUEST, 'get'), ['the-second-secret'])).toBe(false);
});

test('accepts upper-case hex digits', () => {
  expect(accepts(signed(`$02$${FIRST.slice(4).toUpperCase()}`, {}, REQUEST, 'get'))).toBe(true);
  expect(accepts(signed(LEGACY.toUpperCase(), {}, REQUEST, 'get'), [SECRET], true)).toBe(true);
});

describe('schemes', () => {
  test('reject a legacy signature of a consumer that is not marked, and say who can mark it', () => {
    const fault = faultOf(() => verify(signed(LEGACY, {}, REQUEST, 'get'), [SECRET], { legacyAllowed: false }));
    expect(fault.kind).toBe('signature');
    expect(fault.message).toMatch(/operator allow legacy/);
  });

  test('let a marked consumer still sign the current way', () => {
    expect(accepts(signed(FIRST, {}, REQUEST, 'get'), [SECRET], true)).toBe(true);
  });

  test.each([
    ['too short', FIRST.slice(0, -1)],
    ['too long', `${FIRST}0`],
    ['an unknown scheme', FIRST.replace('$02$', '$03$')],
    ['a legacy length with a scheme', FIRST.slice(0, 64)],
    ['a short legacy', LEGACY.slice(0, -1)],
    ['68 characters without a scheme', `0000${LEGACY}`],
    ['empty', ''],
  ])('reject a signature %s', (_, signature) => {
    const fault = faultOf(() => verify(signed(signature, {}, REQUEST, 'get'), [SECRET], { legacyAllowed: true }));
    expect(fault.kind).toBe('signature-length');
    expect(fault.message).toContain('68 characters');
  });
});
