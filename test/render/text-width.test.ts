import { describe, expect, it } from 'vitest';
import { bar, cutMiddle, textWidth, wrapWords } from '../../src/render/text-width.js';

describe('text of a width', () => {
  it('counts wide characters twice', () => {
    expect(textWidth('abc')).toBe(3);
    expect(textWidth('日本')).toBe(4);
  });

  it.each([
    ['user:1234567:session', 12, 'user:1…ssion'],
    ['short', 12, 'short'],
    ['abcdef', 1, '…'],
    ['abcdef', 0, ''],
    ['日本語日本語', 5, '日…語'],
  ])('%s is cut in the middle to %i', (text, width, cut) => {
    expect(cutMiddle(text, width)).toBe(cut);
    expect(textWidth(cutMiddle(text, width))).toBeLessThanOrEqual(width);
  });

  it('is cut without taking all of a very long text apart', () => {
    expect(cutMiddle(`a${'k'.repeat(500_000)}z`, 9)).toBe('akkk…kkkz');
    expect(cutMiddle(`👩‍👩‍👧${'e\u0301'.repeat(500_000)}日`, 9)).toBe(
      '👩‍👩‍👧e\u0301e\u0301…e\u0301e\u0301日',
    );
  });

  it('is wrapped at spaces; a word that is too long is cut', () => {
    expect(wrapWords('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapWords(`a ${'b'.repeat(20)} c`, 6)).toEqual(['a', 'bbb…bb', 'c']);
    expect(wrapWords('', 5)).toEqual([]);
  });

  it('is a bar', () => {
    expect(bar(0.5, 10)).toBe('█████░░░░░');
    expect(bar(7, 3)).toBe('███');
    expect(bar(-1, 3)).toBe('░░░');
  });
});
