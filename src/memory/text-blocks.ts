import { type Bytes, pick } from './layout.js';
import { type EmbstrRule, VALUE_HEADER_BYTES } from './object.js';
import type { MemoryProfile } from './profile.js';
import { sdsHeaderBytes, sdsHeaderSteps } from './sds.js';
import type { BlockCosts } from './value-costs.js';

/** A string's text ends with a zero byte. */
const NUL_BYTES = 1;

/** Costs of strings that are no integers and surely lie apart from their key. @param jointBelow see ValueCosts */
export function textBlocks(profile: MemoryProfile, jointBelow: number): readonly BlockCosts[] {
  const { object } = profile.layout;
  if (object.kind === 'in-object') return rawBlocks(profile, jointBelow);
  const { embstr } = object;
  const raw = rawBlocks(profile, embstr.maxLength + 1);
  return embstr.maxLength < 0 ? raw : [embstrBlock(embstr, object.objectBytes, profile), ...raw];
}

/** A block of text and object; the latter counts as the head's. */
function embstrBlock({ maxLength, count }: EmbstrRule, object: Bytes, profile: MemoryProfile): BlockCosts {
  const range = { encoding: 'embstr', fromBytes: 0, upToBytes: maxLength } as const;
  if (count === 'short') return { ...range, ownBytes: 2, extraBytes: 0, counted: 'requested' };
  const objectBytes = pick(object, profile.wordBits);
  const extraBytes = objectBytes + VALUE_HEADER_BYTES + NUL_BYTES;
  return { ...range, ownBytes: -objectBytes, extraBytes, counted: 'usable' };
}

/** One for each header that a text may have. */
function rawBlocks({ layout }: MemoryProfile, from: number): readonly BlockCosts[] {
  const { sds, sdsCount } = layout;
  const steps = sdsHeaderSteps(sds);
  const blocks: BlockCosts[] = [];
  steps.forEach((step, i) => {
    const fromBytes = Math.max(step, from);
    const next = steps[i + 1] ?? Number.POSITIVE_INFINITY;
    if (fromBytes >= next) return;
    const headerBytes = sdsHeaderBytes(fromBytes, sds);
    const isUsable = sdsCount === 'usable' || (sdsCount === 'running' && headerBytes > 1);
    blocks.push({
      encoding: 'raw',
      fromBytes,
      upToBytes: next - 1,
      ownBytes: 0,
      extraBytes: headerBytes + NUL_BYTES,
      counted: isUsable ? 'usable' : 'requested',
    });
  });
  return blocks;
}
