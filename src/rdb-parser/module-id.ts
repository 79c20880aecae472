/*
 * A module's 64-bit id: nine characters of six bits, then ten bits of encoding version. Source: module.c
 * moduleTypeEncodeId, ModuleTypeNameCharSet (Redis 7.2).
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Key metadata classes swap the last two. Source: keymeta.c (Redis 8.6). */
const CLASS_ALPHABET = `${ALPHABET.slice(0, 62)}_-`;

export function moduleName(id: bigint): string {
  let name = '';
  for (let shift = 58n; shift >= 10n; shift -= 6n) name += ALPHABET[Number((id >> shift) & 63n)]!;
  return name;
}

export function moduleVersion(id: bigint): number {
  return Number(id & 1023n);
}

/** Four characters of a key metadata class, from its 32-bit specification. */
export function metadataClassName(specification: number): string {
  let name = '';
  for (let shift = 26; shift >= 8; shift -= 6) name += CLASS_ALPHABET[(specification >>> shift) & 63]!;
  return name;
}

/** What people call a module's type. Names: the modules' own sources. */
const FRIENDLY_NAMES: ReadonlyMap<string, string> = new Map([
  ['ReJSON-RL', 'JSON'],
  ['MBbloom--', 'Bloom filter'],
  ['MBbloomCF', 'Cuckoo filter'],
  ['CMSk-TYPE', 'Count-min sketch'],
  ['TopK-TYPE', 'Top-K'],
  ['TDIS-TYPE', 't-digest'],
  ['bloomfltr', 'Bloom filter'],
  ['TSDB-TYPE', 'Time series'],
  ['vectorset', 'Vector set'],
  ['ft_index0', 'Search index'],
  ['ft_invidx', 'Search index'],
  ['numericdx', 'Search index'],
  ['tag_index', 'Search index'],
  ['trietype0', 'Suggestion dictionary'],
  ['scdtype00', 'Search schema'],
  ['SchMgr-VS', 'Search schema'],
  ['graphdata', 'Graph'],
  ['graphmeta', 'Graph'],
  ['AI_TENSOR', 'AI tensor'],
  ['AI_MODEL-', 'AI model'],
  ['AI_SCRIPT', 'AI script'],
  ['GearsType', 'Gears'],
  ['exstrtype', 'TairString'],
  ['tairhash-', 'TairHash'],
  ['exhash---', 'TairHash'],
  ['tairzset_', 'TairZset'],
  ['tair-json', 'TairDoc'],
  ['exgistype', 'TairGIS'],
  ['exbloom--', 'TairBloom'],
  ['tairroar-', 'TairRoaring'],
  ['reroaring', 'Roaring bitmap'],
  ['roaring64', 'Roaring bitmap'],
]);

export function friendlyModuleName(name: string): string {
  return FRIENDLY_NAMES.get(name) ?? `module ${name}`;
}
