import { expect, test } from 'vitest';
import { docsCollection, projectWith, runIn } from './in-project.js';

test('O42 the command shows findings for people, and its exit code is 1 with a problem', async () => {
  const project = projectWith({ docs: docsCollection }, { 'docs/guide.md': '# Guide\n' });
  const warned = await project.run('doctor');
  expect(warned.code).toBe(0);
  expect(warned.stdout).toMatch(/^warning +collections +The collection 'docs' is not synced\n +Mend: Sync it: /m);
  expect(warned.stdout).toContain('All is well. Problems: 0, warnings: 1.');

  project.add({ 'context.json': '{' });
  const broken = await project.run('doctor');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^problem +project +context\.json/m);

  const json = await project.run('doctor', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ success: true, healthy: false });
});

test('O42 settings that are not valid are a finding too', async () => {
  const project = projectWith({});
  const { code, stdout } = await runIn(project.folder, ['doctor'], { ...project.env, AI_ASSIST_READ_ONLY: 'maybe' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +settings +Invalid setting readOnly 'maybe'/m);
  expect(stdout).toContain('Not checked: everything else.');
});

test('O42 so are settings that only a server reads', async () => {
  const project = projectWith({});
  const doctor = async (env: NodeJS.ProcessEnv) =>
    (await runIn(project.folder, ['doctor'], { ...project.env, ...env })).stdout;
  expect(await doctor({ AI_ASSIST_TOOLSETS: 'folders,fodlers' })).toMatch(
    /^problem +settings +mcp\.toolsets \(read from environment variable AI_ASSIST_TOOLSETS\): 'fodlers' is not a toolset\n +Mend: Use some of default, /m,
  );
  expect(await doctor({ AI_ASSIST_HTTP_ALLOW_ORIGINS: 'app.example.com' })).toMatch(
    /^problem +settings +.*'app\.example\.com' is not an origin/m,
  );
});

test('O42 a project folder that is not there is a problem', async () => {
  const project = projectWith({});
  const { code, stdout } = await project.run('doctor', '--project', 'nowhere');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +project +There is no folder '.*nowhere'/m);
});
