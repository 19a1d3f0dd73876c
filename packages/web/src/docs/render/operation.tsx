import type { JsonSchema, Parameter } from '@sightline/openapi';
import type { Operations } from '../browser/operation.ts';
import type { DocumentedRoute } from './description.ts';
import { Block, inline } from './markdown.tsx';
import { RequestPlace } from './request.tsx';
import { listChoices, type SchemaRow, toRows, toType } from './schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Maximum number of parameters that are shown. Further ones are in a collapsed section. */
const MOST_PARAMETERS = 20;

interface Props {
  route: DocumentedRoute;
  operations: Operations;
  schemas: Schemas;
}

/** The documentation of a route: its parameters, its response, and an example of both. */
export function Operation({ route, operations, schemas }: Props) {
  const { id, path, summary, description, examples, errors } = route;
  return (
    <section id={id} class="row" data-part aria-labelledby={`${id}-title`}>
      <div class="text">
        <h3 id={`${id}-title`}>
          <a href={`#${id}`}>{summary}</a>
        </h3>
        <p class="path">
          <b>GET</b> <code>{path}</code>
        </p>
        <Block text={description} />
      </div>
      <div class="beside">
        <RequestPlace place={{ operation: id }} operations={operations} />
        <ExampleAnswer value={examples[0]!.value} />
      </div>
      <div class="text">
        <Parameters parameters={route.parameters} schemas={schemas} />
        <h4>Answer</h4>
        <Rows rows={toRows(route.schema, schemas)} />
        <Errors errors={errors} />
      </div>
    </section>
  );
}

function ExampleAnswer({ value }: { value: unknown }) {
  return (
    <figure class="example">
      <figcaption>An answer</figcaption>
      <pre tabIndex={0}>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </figure>
  );
}

function Parameters({ parameters, schemas }: { parameters: readonly Parameter[]; schemas: Schemas }) {
  if (parameters.length === 0) return null;
  const rows = (some: readonly Parameter[]) => <Rows rows={some.map(each => parameterRow(each, schemas))} />;
  const first = parameters.length > MOST_PARAMETERS ? parameters.slice(0, MOST_PARAMETERS / 2) : parameters;
  const others = parameters.slice(first.length);
  return (
    <>
      <h4>Parameters</h4>
      {rows(first)}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more parameters</summary>
          {rows(others)}
        </details>
      )}
    </>
  );
}

function parameterRow(
  { name, in: place, required, schema, description }: Parameter,
  schemas: Schemas,
): SchemaRow {
  const type = [toType(schema, schemas), place === 'path' && 'in the path', required && 'required'];
  return {
    name,
    type: type.filter(Boolean).join(', '),
    text: [description, listChoices(schema, schemas)].filter(Boolean).join(' '),
  };
}

function Rows({ rows }: { rows: readonly SchemaRow[] }) {
  return (
    <dl class="fields">
      {rows.map(row =>
        'form' in row ? (
          <div class="form" key={row.form}>
            <dt>{row.isFirst ? 'Either:' : 'Or:'}</dt>
            <dd>{row.form}</dd>
          </div>
        ) : (
          <div key={row.name}>
            <dt>
              <code>{row.name}</code> <small>{row.type}</small>
            </dt>
            <dd dangerouslySetInnerHTML={inline(row.text)} />
          </div>
        ),
      )}
    </dl>
  );
}

function Errors({ errors }: { errors: DocumentedRoute['errors'] }) {
  return (
    <>
      <h4>Errors</h4>
      {errors.length > 0 && <ErrorTexts errors={errors} />}
      <p class="quiet">
        {errors.length > 0 ? 'Besides, the' : 'The'} <a href="#errors">errors of every route</a>.
      </p>
    </>
  );
}

function ErrorTexts({ errors }: { errors: DocumentedRoute['errors'] }) {
  return (
    <dl class="fields">
      {errors.map(({ status, texts }) => (
        <div key={status}>
          <dt>
            <code>{status}</code>
          </dt>
          <dd>
            {texts.map(text => (
              <div key={text}>{text}</div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
