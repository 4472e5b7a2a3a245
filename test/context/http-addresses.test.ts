import { describe, expect, test } from 'vitest';
import { hostAndPort, isPublicAddress, literalAddress, reachOf } from '../../src/context/http/addresses.js';

const notPublic = [
  // This machine.
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'the end of loopback'],
  ['::1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['::', 'unspecified'],
  // Private networks.
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'shared by a carrier'],
  ['100.127.255.255', 'shared by a carrier'],
  ['169.254.169.254', 'link-local, where clouds keep their secrets'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fc00::1', 'unique-local'],
  ['fd12:3456::1', 'unique-local'],
  ['fec0::1', 'site-local'],
  // To many, or to no one.
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.2.1', 'for documentation'],
  ['198.18.0.1', 'for benchmarks'],
  ['203.0.113.7', 'for documentation'],
  ['2001:db8::1', 'for documentation'],
  ['100::1', 'discarded'],
  // An IPv4 address inside an IPv6 one.
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:7f00:1', 'mapped loopback in hex'],
  ['::ffff:10.0.0.1', 'mapped private'],
  ['::127.0.0.1', 'compatible loopback'],
  ['::7f00:1', 'compatible loopback in hex'],
  ['::ffff:0:127.0.0.1', 'translated loopback'],
  ['64:ff9b::7f00:1', 'loopback through NAT64'],
  ['64:ff9b::10.0.0.1', 'private through NAT64'],
  ['64:ff9b:1::808:808', 'a NAT64 of the local network'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2002:808:808::', '6to4'],
  ['2001:0:7f00:1::', 'Teredo'],
  // Not an address.
  ['', 'nothing'],
  ['localhost', 'a name'],
  ['1.2.3.4.5', 'too long'],
  ['::1::', 'no address'],
] as const;

const publicOnes = [
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

test.each(notPublic)('C300 %s is not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(publicOnes)('C300 %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe('an address is recognised in any notation', () => {
  const loopback = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0x7f.0.0x0.01',
    '127.0.0.1.',
  ];

  test.each(loopback)('C301 %s, as a host and in a URL', (host) => {
    expect(literalAddress(host)).toBe('127.0.0.1');
    expect(literalAddress(new URL(`http://${host}/`).hostname)).toBe('127.0.0.1');
  });

  test.each(['[::1]', '::1', '[0:0:0:0:0:0:0:1]'])('C301 %s', (host) => {
    expect(literalAddress(host)).toBe('::1');
  });

  test('C301 an IPv4 address in IPv6 clothes is judged by what is inside', () => {
    const host = new URL('http://[::ffff:127.0.0.1]/').hostname;
    expect(isPublicAddress(literalAddress(host) ?? '')).toBe(false);
  });

  test.each(['localhost', 'example.com', '1.example.com', 'cafe', 'a.b'])('C301 %s is a name', (host) => {
    expect(literalAddress(host)).toBeUndefined();
  });
});

describe('where a URL may lead', () => {
  const home = '10.0.0.5:8080';
  const reach = (url: string, more: { trusted?: boolean; localHost?: string; allowHosts?: string[] } = {}) =>
    reachOf(new URL(url), { trusted: false, localHost: undefined, allowHosts: [], ...more });

  test('C302 anywhere, if the project file names it', () => {
    expect(reach('http://localhost/m.json', { trusted: true })).toBe('any');
  });

  test('C302 to public addresses only, if someone else does', () => {
    expect(reach('http://localhost/m.json')).toBe('public');
    expect(reach('https://example.com/m.json')).toBe('public');
  });

  test('C302 back to the private host that it came from, on the same port', () => {
    expect(reach('http://10.0.0.5:8080/a.md', { localHost: home })).toBe('any');
    expect(reach('http://10.0.0.5:8081/a.md', { localHost: home })).toBe('public');
    expect(reach('http://10.0.0.5/a.md', { localHost: home })).toBe('public');
    expect(reach('http://10.0.0.6:8080/a.md', { localHost: home })).toBe('public');
  });

  test.each([
    ['http://docs.internal/a.md', ['docs.internal']],
    ['http://DOCS.internal./a.md', [' Docs.Internal ']],
    ['http://docs.internal:8080/a.md', ['docs.internal']],
    ['http://docs.internal:8080/a.md', ['docs.internal:8080']],
    ['https://docs.internal/a.md', ['docs.internal:443']],
    ['http://[::1]:9000/a.md', ['::1']],
    ['http://[::1]:9000/a.md', ['[::1]:9000']],
  ])('C302 to %s, if %s is allowed', (url, allowHosts) => {
    expect(reach(url, { allowHosts })).toBe('any');
  });

  test.each([
    ['http://docs.internal:8081/a.md', ['docs.internal:8080']],
    ['http://evil.docs.internal/a.md', ['docs.internal']],
    ['http://docs.internal.evil.com/a.md', ['docs.internal']],
    ['http://localhost/a.md', ['']],
    ['http://localhost/a.md', ['*']],
  ])('C302 not to %s, if only %s is allowed', (url, allowHosts) => {
    expect(reach(url, { allowHosts })).toBe('public');
  });
});

test.each([
  ['http://Example.COM/', 'example.com:80'],
  ['https://example.com/', 'example.com:443'],
  ['http://example.com.:8080/', 'example.com:8080'],
  ['http://[::1]/', '[::1]:80'],
])('C302 the host and port of %s is %s', (url, expected) => {
  expect(hostAndPort(new URL(url))).toBe(expected);
});
