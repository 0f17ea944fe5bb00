import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Public by its number, and inside all the same: what the machines of a cloud ask about themselves and their secrets. */
const INSIDE = new Set(['168.63.129.16']);
/** All that is public in IPv6 so far; elsewhere lie addresses that stand for others. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Where webhooks may lead: to public addresses, and to what an operator has named: hosts, by whatever address, and ranges
 * of addresses.
 */
export class Network {
  private readonly hosts = new Set<string>();
  private readonly ranges: [IPv4 | IPv6, number][] = [];

  /**
   * @param allowed hosts, addresses and ranges as `10.0.0.0/8`.
   * @throws Error for what is none of these.
   */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      if (ipaddr.isValidCIDR(entry)) this.ranges.push(ipaddr.parseCIDR(entry));
      else if (ipaddr.isValid(entry)) this.ranges.push(whole(entry));
      else if (HOST.test(entry)) this.hosts.add(entry.toLowerCase());
      else throw new Error(`${JSON.stringify(entry)} is no host, no address and no range of addresses as 10.0.0.0/8.`);
    }
  }

  /** Whether an operator has named the host. */
  knows(host: string): boolean {
    return this.hosts.has(host.toLowerCase().replace(/\.$/, ''));
  }

  /** Whether a connection to this address is allowed. */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address may come as one of IPv6.
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
