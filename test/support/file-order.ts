import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullFile } from './level.ts';

/**
 * Starts the longest files first, by the durations that Vitest keeps of the last run, and after each of them the shortest one that
 * is left: long files mostly wait, short ones compute. A fresh checkout has no durations and goes by size; there the files of
 * the full level, which are long but small, come first.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFull = ({ moduleId }: TestSpecification) => isFullFile(moduleId);
    return fromBothEnds([...sorted.filter(isFull), ...sorted.filter((file) => !isFull(file))]);
  }
}

// Helpers

/** The first, the last, the second, the last but one, … */
function fromBothEnds<T>(items: readonly T[]): T[] {
  return items.map((_, place) => items[place % 2 === 0 ? place / 2 : items.length - (place + 1) / 2] as T);
}
