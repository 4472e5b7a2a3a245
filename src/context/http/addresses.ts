/** Which network addresses a fetch may reach. Pure: it judges text, and asks no resolver. */
import ipaddr from 'ipaddr.js';

/** `public`: addresses of the public network only. `any`: this machine and private networks too. */
export type Reach = 'public' | 'any';

/** Under which circumstances a URL is fetched. */
export type Standing = {
  /** The project file itself names this URL. */
  trusted: boolean;
  /** Host and port of the trusted URL on a private address that led to this URL. */
  localHost: string | undefined;
  /** Names, or names with a port, that the user has allowed. */
  allowHosts: readonly string[];
};

/** A package may lead anywhere public, and back to its own host; elsewhere only where the user said so. */
export function reachOf(url: URL, { trusted, localHost, allowHosts }: Standing): Reach {
  if (trusted || hostAndPort(url) === localHost || isAllowed(url, allowHosts)) return 'any';
  return 'public';
}

/** The host with its port, also where the port is the scheme's own. */
export function hostAndPort(url: URL): string {
  return `${plainHost(url.hostname)}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

function isAllowed(url: URL, allowHosts: readonly string[]): boolean {
  const names = [plainHost(url.hostname), bareHost(url.hostname), hostAndPort(url)];
  return allowHosts.some((host) => names.includes(plainHost(host.trim())));
}

const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '');
const bareHost = (host: string) => plainHost(host).replace(/^\[(.*)\]$/, '$1');

/** The address that a host name spells out in any notation, or undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = bareHost(hostname);
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined;
}

/** Whether an address belongs to a host on the public network. What cannot be read does not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicIPv6(parsed) : parsed.range() === 'unicast';
}

/** The only block of IPv6 that is given out to public hosts. */
const givenOut = ipaddr.IPv6.parse('2000::');
/** Where a network without IPv4 shows every IPv4 host: its last 32 bits are the true address. */
const translated = ipaddr.IPv6.parse('64:ff9b::');

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().range() === 'unicast';
  if (address.match(translated, 96)) return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === 'unicast';
  return address.match(givenOut, 3) && address.range() === 'unicast';
}
