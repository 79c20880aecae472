/**
 * What alone keeps a collection from its compact encoding. One of MISFITS, `''` when nothing does, or several things.
 *
 * `one-long-element`: a hash, zset or set of few elements, one of which is more than twice as long as may be packed, and
 * no other too long. `one-text-member`: a set of few integers but for one member. `integers-over-limit`: a set of
 * nothing but integers, up to twice as many as an intset may have.
 */
export type Misfit = (typeof MISFITS)[number] | '';

export const MISFITS = ['one-long-element', 'one-text-member', 'integers-over-limit'] as const;

/** A long element counts as an outlier from this many times the limit on; below, the limit itself is near. */
export const OUTLIER_FACTOR = 2;
