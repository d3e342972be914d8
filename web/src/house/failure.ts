// A failure as a sentence with a way out.

import { t } from '../words/index.svelte';
import { Refused } from './api';

export function failure(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 0) return t('unreachable');
  if (error.code === 'RATE_LIMITED') return t('tooFast');
  if (error.status === 404) return t('notFoundWhy');
  if (error.status === 401) return t('notYours');
  return error.message;
}
