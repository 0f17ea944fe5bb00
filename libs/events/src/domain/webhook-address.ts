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
   * The fault in the text of an address; undefined when the address is allowed. The sender checks the IP address of a
   * host at each connection.
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

/** The host of an address: a name, an IPv4 address, or an IPv6 address without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
