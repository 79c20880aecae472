import { createMemoryModel, profileFor } from '../../src/memory/index.js';
import { Decoder } from '../../src/rdb-parser/index.js';
import { fileSource } from '../../src/source/file-source.js';

/* Decodes a snapshot and nothing else: `decode-snapshot.js [PATH [SERVER]]`, with a memory model when a server is named. */

const [path, server] = process.argv.slice(2);
if (path !== undefined) {
  const source = fileSource(path);
  const decoder = new Decoder(source);
  decoder.readHeader();
  if (server !== undefined) {
    const serverVersion = server === 'own' ? decoder.facts.serverVersion : server;
    decoder.meter = createMemoryModel(profileFor({ dialect: decoder.facts.product, serverVersion }).profile);
  }
  while (decoder.next()) {
    // The decoder's work alone is measured.
  }
  source.close();
}
