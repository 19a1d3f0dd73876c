import type { DocumentedOperation, Field, FormValues, Question } from './operation.ts';

interface Props {
  question: { operation: DocumentedOperation; values: FormValues };
  onChange(question: Question): void;
}

/** Form fields for the parameters of a request, and a list of parameters that can be added. */
export function ValueFields({ question: { operation, values }, onChange }: Props) {
  const isGiven = ({ name }: Field) => values[name] !== undefined;
  const change = (values: FormValues) => onChange({ operation, values });
  const without = (name: string) => {
    const { [name]: _gone, ...others } = values;
    return others;
  };
  if (operation.fields.length === 0) return null;
  const further = operation.fields.filter(field => !isGiven(field));
  return (
    <div class="values">
      {operation.fields.filter(isGiven).map(field => (
        <p key={field.name}>
          <Value
            field={field}
            value={values[field.name]!}
            onChange={value => change({ ...values, [field.name]: value })}
          />
          {!field.isRequired && (
            <button
              type="button"
              aria-label={`Without ${field.name}`}
              onClick={() => change(without(field.name))}
            >
              ×
            </button>
          )}
        </p>
      ))}
      {further.length > 0 && (
        <p>
          <select
            aria-label="Add a parameter"
            value=""
            onChange={({ currentTarget }) => {
              const field = further.find(({ name }) => name === currentTarget.value);
              if (field) change({ ...values, [field.name]: field.example });
            }}
          >
            <option value="">Add a parameter …</option>
            {further.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </p>
      )}
    </div>
  );
}

interface ValueProps {
  field: Field;
  value: string;
  onChange(value: string): void;
}

function Value({ field: { name, kind, choices, isRequired }, value, onChange }: ValueProps) {
  const all = kind === 'boolean' ? ['true', 'false'] : choices;
  if (!all) {
    return (
      <label>
        <code>{name}</code>
        <input
          value={value}
          required={isRequired}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="none"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
    );
  }
  return (
    <label>
      <code>{name}</code>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {all.map(choice => (
          <option key={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}
