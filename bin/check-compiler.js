// Runs before `npm ci`. better-sqlite3 comes as a ready-made binary or is compiled; where neither can work, its own
// error is a page of build log. So what is missing is said first, in plain words. Never a reason to stop: the
// ready-made binary may well be there to download.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = (process.env.PATH ?? '').split(delimiter);
const has = (...programs) =>
  programs.some((program) => folders.some((folder) => existsSync(join(folder, program))));

const missing = [
  has('python3', 'python') ? '' : 'python3',
  has('make', 'gmake') ? '' : 'make',
  has('g++', 'c++', 'clang++') ? '' : 'a C++ compiler (g++ or clang++)',
].filter((name) => name !== '');

if (process.platform !== 'win32' && missing.length > 0) {
  process.stderr.write(
    `rdbscope: ${missing.join(', ')} not found. SQLite (better-sqlite3) is compiled on this machine when its ready-made\n` +
      'binary can not be downloaded. If the install fails now, install what is missing and repeat it:\n' +
      '  Debian, Ubuntu: apt-get install python3 make g++     Fedora: dnf install python3 make gcc-c++\n' +
      '  Alpine: apk add python3 make g++                     macOS: xcode-select --install\n',
  );
}
