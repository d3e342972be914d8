import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/** The server hands out files as they lie in its memory: it never compresses. */
function compressed(): Plugin {
  const worth = /\.(js|css|html|svg|json)$/;
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const dist = join(import.meta.dirname, 'dist');
      for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        if (!worth.test(name)) continue;
        const path = join(dist, name);
        const bytes = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const house = process.env.PARLOR ?? 'http://127.0.0.1:7777';

export default defineConfig({
  plugins: [svelte(), compressed()],
  // The house's content policy allows no `data:` addresses.
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': house, '/docs': house, '/pages': house, '/metrics': house } },
  test: { include: ['src/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
