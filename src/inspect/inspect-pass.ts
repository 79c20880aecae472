import type { PassContext } from '../pass-jobs.js';
export interface InspectOptions { readonly key: Uint8Array }
export interface KeyFinding { readonly found: boolean }
export function inspectPass(_context: PassContext, _options: InspectOptions): KeyFinding { return { found: false }; }
