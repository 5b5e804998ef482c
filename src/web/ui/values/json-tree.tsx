import { createContext, useContext } from 'react';
import type { CoinUnit } from '../../../http/console/operator/schemas.ts';
import { readableValueOf } from './readable-value.ts';

/** The coin of the amounts in the values below. */
export const CoinContext = createContext<CoinUnit | null>(null);

interface JsonTreeProps {
  readonly value: unknown;
  /** Number of levels expanded at first. */
  readonly openLevels?: number;
  readonly name?: string;
  /** Names of the values around it, from the outermost; times and amounts are known by name. */
  readonly path?: readonly string[];
}

/** Limit of entries shown per level; a page must cope with any data. */
const MAX_ENTRIES = 500;

/** Any JSON, expandable level by level with mouse or keyboard. */
export function JsonTree({ value, openLevels = 1, name, path = [] }: JsonTreeProps) {
  const inner = name === undefined ? path : [...path, name];
  const isBranch = typeof value === 'object' && value !== null;
  if (!isBranch) {
    return (
      <div className="json-leaf">
        <Name name={name} />
        <KnownValue value={value} path={inner} />
      </div>
    );
  }
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return (
      <div className="json-leaf">
        <Name name={name} />
        <span className="soft">{Array.isArray(value) ? '[ ]' : '{ }'}</span>
      </div>
    );
  }
  const children = entries
    .slice(0, MAX_ENTRIES)
    .map(([key, child]) => <JsonTree key={key} name={key} value={child} openLevels={openLevels - 1} path={inner} />);
  if (name === undefined) return <div className="json">{children}</div>;
  return (
    <details className="json-branch" open={openLevels > 0}>
      <summary>
        <Name name={name} />
        <span className="soft">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      <div className="json-children">
        {children}
        {entries.length > MAX_ENTRIES ? <p className="soft">and {entries.length - MAX_ENTRIES} more</p> : null}
      </div>
    </details>
  );
}

/** A time, duration or amount in words, by its name; any other value as JSON. */
export function KnownValue({ value, path }: { readonly value: unknown; readonly path: readonly string[] }) {
  const meaning = readableValueOf(path, value, useContext(CoinContext));
  if (meaning === null) return <JsonValue value={value} />;
  return (
    <span title={JSON.stringify(value)}>
      <code>{meaning.text}</code>
      {meaning.stored === null ? null : <span className="soft"> {meaning.stored}</span>}
    </span>
  );
}

/** A value in one line of JSON. */
function JsonValue({ value }: { readonly value: unknown }) {
  return (
    <code className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value) ?? 'undefined'}</code>
  );
}

// Helpers

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span className="json-name">{name}: </span>;
}
