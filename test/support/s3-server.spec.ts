import { refusalOf, type SignedRequest } from './s3-server';
import { DAY } from './time';

// The signed examples of S3's documentation with their inputs. Our server must accept them.
const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const SIGNED_AT = Date.UTC(2013, 4, 24);
const host = 'examplebucket.s3.amazonaws.com';

const presigned: SignedRequest = {
  method: 'GET',
  url: '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host },
};

const withHeader: SignedRequest = {
  method: 'GET',
  url: '/test.txt',
  headers: {
    host,
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};

describe('the S3 server of the tests', () => {
  it('accepts the published examples until they expire', async () => {
    expect(await refusalOf(presigned, keys, SIGNED_AT)).toBeUndefined();
    expect(await refusalOf(presigned, keys, SIGNED_AT + DAY - 1)).toBeUndefined();
    expect(await refusalOf(presigned, keys, SIGNED_AT + DAY)).toBe('AccessDenied');
    expect(await refusalOf(withHeader, keys, SIGNED_AT)).toBeUndefined();
  });

  it.each<[string, SignedRequest]>([
    ['another method', { ...presigned, method: 'PUT' }],
    ['another key', { ...presigned, url: presigned.url.replace('test.txt', 'test.txu') }],
    ['another host', { ...presigned, headers: { host: 'other.s3.amazonaws.com' } }],
    ['more time', { ...presigned, url: presigned.url.replace('=86400', '=86401') }],
    ['another time', { ...presigned, url: presigned.url.replace('T000000Z', 'T000001Z') }],
    ['one parameter more', { ...presigned, url: `${presigned.url}&versionId=1` }],
    ['another signature', { ...presigned, url: presigned.url.replace(/4$/, '5') }],
    ['another header', { ...withHeader, headers: { ...withHeader.headers, range: 'bytes=0-10' } }],
    ['one header less', { ...withHeader, headers: { ...withHeader.headers, range: '' } }],
  ])('rejects the published examples with %s', async (_, request) => {
    expect(await refusalOf(request, keys, SIGNED_AT)).toBe('SignatureDoesNotMatch');
  });

  it('rejects requests that are unsigned or signed by others', async () => {
    expect(await refusalOf({ ...presigned, url: '/test.txt' }, keys, SIGNED_AT)).toBe('AccessDenied');
    expect(await refusalOf(presigned, { ...keys, accessKeyId: 'OTHER' }, SIGNED_AT)).toBe('InvalidAccessKeyId');
    expect(await refusalOf(presigned, { ...keys, secretAccessKey: 'other' }, SIGNED_AT)).toBe('SignatureDoesNotMatch');
  });
});
