import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { SecretBox } from '#access';
import { Fault, type Position } from '#kernel';

const MAC_LENGTH = 16;

/**
 * Tokens in `meta.next`: the start of the next page, bound to the operation, the item bank and the filters.
 * Form: base64url of 16 bytes of HMAC-SHA-256 and the position as JSON.
 */
@Injectable()
export class PagingTokens {
  private readonly key: Buffer;

  constructor(box: SecretBox) {
    this.key = box.derive('paging tokens');
  }

  /** The filters of a token: the request without the page. The token covers the item bank separately. */
  filtersOf(request: object): string {
    const {
      limit: _limit,
      next: _next,
      meta: _meta,
      organisation_id: _bank,
      ...filters
    } = request as Record<string, unknown>;
    return createHash('sha256').update(canonicalize(filters)!).digest('base64url');
  }

  write(position: Position, operation: string, organisation: number, filters: string): string {
    const text = JSON.stringify(position);
    return Buffer.concat([this.mac(text, operation, organisation, filters), Buffer.from(text)]).toString('base64url');
  }

  /** @throws Fault 20004 for anything but a token that `write` made for the same operation, bank and filters. */
  read(token: string, operation: string, organisation: number, filters: string): Position {
    const bytes = Buffer.from(token, 'base64url');
    const text = bytes.subarray(MAC_LENGTH).toString();
    const mac = this.mac(text, operation, organisation, filters);
    const authentic = bytes.length > MAC_LENGTH && timingSafeEqual(bytes.subarray(0, MAC_LENGTH), mac);
    // Decoding ignores invalid characters, so compare the encoding too.
    if (!authentic || bytes.toString('base64url') !== token)
      throw new Fault(
        'value',
        'next is not a token of this request: send the text of meta.next unchanged, with the same filters, sorting and item bank as the page before.',
        '/next',
      );
    return JSON.parse(text) as Position;
  }

  private mac(text: string, operation: string, organisation: number, filters: string): Buffer {
    const bound = [operation, organisation, filters, text].join('\n');
    return createHmac('sha256', this.key).update(bound).digest().subarray(0, MAC_LENGTH);
  }
}
