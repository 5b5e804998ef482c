import { useQuery } from '@tanstack/react-query';
import type { SystemHealth } from '../../http/console/operator/schemas.ts';
import { read } from './queries.ts';

const HEALTH_EVERY_MS = 15_000;

/** In a file of its own, because the side bar needs it in the first load of everyone. */
export function useHealth(isEnabled = true) {
  return useQuery({
    ...read<SystemHealth>('/health'),
    refetchInterval: HEALTH_EVERY_MS,
    // The page shows the effect of what was just set up on another one.
    staleTime: 0,
    enabled: isEnabled,
  });
}
