import { resolver } from './references.ts';
import type { MediaType, OpenApiDocument, OpenApiHeader, Reference, Response } from './types.ts';

/** The responses of the client's mocks by name, and the names by path and status. */
interface ClientAnswers {
  responses: Record<string, { headers: Record<string, string>; bodies: Record<string, unknown> }>;
  paths: Record<string, Record<string, string>>;
}

/** Returns the examples of a description, without anything that is only for readers. */
export function clientAnswers(document: OpenApiDocument): ClientAnswers {
  const resolve = resolver(document);
  const bodies = ({ example, examples = {} }: MediaType): Record<string, unknown> => {
    if (example !== undefined) return { example };
    return Object.fromEntries(
      Object.entries(examples).map(([name, each]) => [name, resolve(each as { value: unknown }).value]),
    );
  };
  const answers: ClientAnswers = { responses: {}, paths: {} };
  for (const [path, { get }] of Object.entries(document.paths)) {
    answers.paths[path] = {};
    for (const [status, response] of Object.entries(get.responses)) {
      const { $ref } = response as Reference;
      const name = $ref?.slice($ref.lastIndexOf('/') + 1) ?? `${get.operationId}${status}`;
      const { headers, content } = resolve<Response>(response);
      answers.paths[path][status] = name;
      answers.responses[name] ??= {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, header]) => [
            name,
            String(resolve<OpenApiHeader>(header).example),
          ]),
        ),
        bodies: content ? bodies(content['application/json']!) : {},
      };
    }
  }
  return answers;
}
