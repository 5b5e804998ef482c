import { TextField } from '../../../ui/forms/field.tsx';

export type FieldValues = Readonly<Record<string, unknown>>;

interface EventFieldsProps {
  /** JSON Schema of an object with plain properties, as the server returns it. */
  readonly schema: FieldValues | null;
  readonly values: FieldValues;
  change(values: FieldValues): void;
}

/**
 * A form generated from a JSON Schema: text and number fields, with the schema's descriptions and
 * limits.
 */
export function EventFields({ schema, values, change }: EventFieldsProps) {
  return propertiesOf(schema).map(({ name, title, description, pattern, isNumber, isRequired }) => (
    <TextField
      key={name}
      label={title}
      hint={description}
      required={isRequired}
      pattern={pattern}
      inputMode={isNumber ? 'decimal' : undefined}
      value={shownText(values[name])}
      onChange={({ target: { value } }) =>
        change({ ...values, [name]: isNumber && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value })
      }
    />
  ));
}

// Helpers

interface Property {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly pattern: string | undefined;
  readonly isNumber: boolean;
  readonly isRequired: boolean;
}

function propertiesOf(schema: FieldValues | null): Property[] {
  const properties = recordIn(schema?.properties);
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => {
    const { title, description, pattern, type } = recordIn(property);
    return {
      name,
      title: textIn(title) ?? name,
      description: textIn(description),
      pattern: textIn(pattern),
      isNumber: type === 'number' || type === 'integer',
      isRequired: required.includes(name),
    };
  });
}

function recordIn(value: unknown): FieldValues {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function shownText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
