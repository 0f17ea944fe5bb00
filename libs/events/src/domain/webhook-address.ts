import ipaddr from 'ipaddr.js';
import { type Network } from './network';
import { URL_LENGTH } from './sink';

/** The rules for webhook addresses. */
export class AddressRules {
  /** @param plainHttp whether `http:` is allowed. */
  constructor(
    readonly network: Network,
    private readonly plainHttp: boolean,
  ) {}

  /**
   * What is wrong with an address, judged by its text; undefined when it is allowed. The sender checks at each connection where
   * a name leads.
   */
  faultOf(text: string): string | undefined {
    if (text.length > URL_LENGTH) return `must have at most ${URL_LENGTH} characters`;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const schemes = this.plainHttp ? ['https:', 'http:'] : ['https:'];
    if (!url || !schemes.includes(url.protocol))
      return `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
    if (url.username || url.password) return 'must be without user and password: what is sent is signed';
    if (url.hash) return 'must be without a part after #, which is never sent';
    const host = hostOf(url);
    if (ipaddr.isValid(host) && !this.network.allows(host))
      return 'leads to an address that is not public; an operator can allow it with WEBHOOK_ALLOWED_HOSTS';
    return undefined;
  }
}

/** The host of an address: a name, or an address of IPv4 or, without brackets, of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
