import { defineConfig } from 'vitest/config';

// One browser and one house at a time: these tests share two cores with them.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A browser on a busy machine now and then misses a moment; a fault is there
    // every time.
    retry: 2,
  },
});
