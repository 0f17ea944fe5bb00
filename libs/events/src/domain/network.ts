import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Public addresses of the internal metadata services of clouds, which give out secrets. */
const INSIDE = new Set(['168.63.129.16']);
/**
 * All public IPv6 addresses that are allocated so far. Networks may translate addresses outside this range to others.
 */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** The allowed targets of webhooks: public addresses, and the hosts and address ranges that an operator allows. */
export class Network {
  private readonly hosts = new Set<string>();
  private readonly ranges: [IPv4 | IPv6, number][] = [];

  /**
   * @param allowed hosts, addresses and ranges like `10.0.0.0/8`.
   * @throws Error for anything else.
   */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      if (ipaddr.isValidCIDR(entry)) this.ranges.push(ipaddr.parseCIDR(entry));
      else if (ipaddr.isValid(entry)) this.ranges.push(whole(entry));
      else if (HOST.test(entry)) this.hosts.add(entry.toLowerCase());
      else
        throw new Error(
          `${JSON.stringify(entry)} is not a host, an address or a range of addresses such as 10.0.0.0/8.`,
        );
    }
  }

  /** Whether an operator allows the host. */
  knows(host: string): boolean {
    return this.hosts.has(host.toLowerCase().replace(/\.$/, ''));
  }

  /** Whether a connection to this address is allowed. */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address may be written as an IPv6 address.
    const ip = ipaddr.process(address);
    return isPublic(ip) || this.ranges.some((range) => ip.kind() === range[0].kind() && ip.match(range));
  }
}

const HOST = /^(?=.{1,253}$)(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*$/;

function whole(address: string): [IPv4 | IPv6, number] {
  const ip = ipaddr.parse(address);
  return [ip, ip.kind() === 'ipv4' ? 32 : 128];
}

function isPublic(ip: IPv4 | IPv6): boolean {
  if (ip.range() !== 'unicast' || INSIDE.has(ip.toString())) return false;
  return ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6);
}
