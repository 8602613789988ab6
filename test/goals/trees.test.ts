import { expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey, newOrganization, newTreatmentPlan } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { type Json, step } from "../support/goals/bodies.ts";
import { exportRecords, type Fields, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Trees of goals after any updates, deletions and imports, compared with trees that are kept here: what the API shows,
 * the index of the goals below, and on which goals something is recorded.
 */

const { database, call } = await newService().then((service) => ({
  database: service.database,
  call: service.call.bind(service),
}));

interface Node {
  id: string;
  order: number;
  /** Whether a trial is recorded on it. */
  isRecorded: boolean;
  children: Node[];
}

/** A node with children in their order. */
const sorted = (node: Node): Node => ({
  ...node,
  children: node.children.map(sorted).sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
});

const nodesOf = (node: Node): Node[] => [node, ...node.children.flatMap(nodesOf)];

/** What a response shows of a goal, as a node without its order. */
const shownNode = ({ publicId, skillTrials, childGoals }: Json): object => ({
  id: publicId,
  isRecorded: (skillTrials as unknown[]).length > 0,
  children: (childGoals as Json[]).map(shownNode),
});

const expectedNode = ({ id, isRecorded, children }: Node): object => ({
  ...{ id, isRecorded },
  children: children.map(expectedNode),
});

let made = 0;

/** The record of a goal with a trial and some children, two of them with a child each. */
function newRecord(treatmentPlanId: string, name: string): Fields {
  const goal = (id: string, children: Fields[] = []): Fields => ({
    ...step(id),
    ...{ publicId: `goal_${id}`, goalType: "opportunity", childGoals: children },
    ...Object.fromEntries(
      ["baseline", "success", "maintenance"].map((purpose) => [
        `${purpose}Metric`,
        { publicId: `metric_${purpose}`, value: 80, unit: "PERCENTAGE" },
      ]),
    ),
    skillTrials: [{ publicId: "trial_1", outcome: "SUCCESS", happenedAt: NOW }],
  });
  const children = ["c", "a", "b"].map((child) =>
    goal(`${name}_${child}`, child === "c" ? [] : [goal(`${name}_${child}_below`)]),
  );
  return { type: "goal", treatmentPlanId, ...goal(name, children) };
}

/** The node of a record. Its children are in the order of the list. */
const nodeOf = (record: Fields, order = 0): Node => ({
  id: String(record.publicId),
  order,
  isRecorded: (record.skillTrials as unknown[]).length > 0,
  children: (record.childGoals as Fields[]).map(nodeOf),
});

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("replace", "order", "delete", "move"),
    ...{ tree: fc.nat(2), node: fc.nat(40), order: fc.integer({ min: -3, max: 3 }) },
    ...{ kept: fc.array(fc.nat(5), { maxLength: 4 }), added: fc.nat(2), target: fc.nat(40) },
  }),
  { minLength: 12, maxLength: 16 },
);

test("trees of goals are as expected after any changes", async () => {
  await fc.assert(fc.asyncProperty(steps, changeTrees), { numRuns: 5 });
});

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function changeTrees(changes: Step[]): Promise<void> {
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const plan = await newTreatmentPlan(database, organization);
  const own = { type: "organization", publicId: organization };
  const records = ["one", "two", "three"].map((name) => newRecord(plan, name));
  await mustImport(database, [own, ...records]);
  const trees = records.map((record) => nodeOf(record));
  const send = async (line: string, json?: object): Promise<Json> => {
    const { status, body } = await call(line, { key, ...(json && { json }) });
    expect([line, status]).toEqual([line, 200]);
    return body as Json;
  };

  /** Moves a child goal below another goal, by the line of that goal's record. */
  async function move(child: Node, from: Node, into: Node, target: Node): Promise<void> {
    const exported = await exportRecords(database, organization);
    const entries = exported
      .filter(({ type }) => type === "goal")
      .flatMap(function all(goal: Fields): Fields[] {
        return [goal, ...(goal.childGoals as Fields[]).flatMap(all)];
      });
    const entryOf = ({ id }: Node) => entries.find(({ publicId }) => publicId === id) as Fields;
    (entryOf(target).childGoals as Fields[]).push(entryOf(child));
    const line = entryOf(into);
    await mustImport(database, [own, line]);
    for (const parent of nodesOf(from))
      parent.children = parent.children.filter(({ id }) => id !== child.id);
    Object.assign(into, nodeOf(line));
  }

  for (const { kind, ...change } of changes) {
    const index = change.tree;
    const tree = trees[index] as Node;
    const nodes = nodesOf(tree);
    const node = nodes[change.node % nodes.length] as Node;
    const below = nodes.slice(1);
    const child = below[change.node % Math.max(1, below.length)];
    if (kind === "replace") {
      const kept = [...new Set(change.kept)].flatMap((place) => node.children[place] ?? []);
      const added = Array.from({ length: change.added }, () => step(`Step ${(made += 1)}`));
      const childGoals = [...kept.map(({ id }) => ({ publicId: id })), ...added];
      const { childGoals: shown } = await send(`PATCH /api/v1/goals/${node.id}`, { childGoals });
      const ids = (shown as Json[]).map(({ publicId }) => String(publicId));
      expect(ids.slice(0, kept.length)).toEqual(kept.map(({ id }) => id));
      node.children = ids.map((id, order) => ({
        ...{ isRecorded: false, children: [], ...kept[order] },
        ...{ id, order },
      }));
    } else if (child === undefined) continue;
    else if (kind === "order") {
      await send(`PATCH /api/v1/goals/${child.id}`, { orderAmongSiblings: change.order });
      child.order = change.order;
    } else if (kind === "delete") {
      await send(`DELETE /api/v1/goals/${child.id}`);
      for (const parent of nodes)
        parent.children = parent.children.filter(({ id }) => id !== child.id);
    } else {
      const into = trees[(index + 1) % trees.length] as Node;
      const targets = nodesOf(into);
      await move(child, tree, into, targets[change.target % targets.length] as Node);
    }
    for (const [place, each] of trees.entries()) trees[place] = sorted(each);

    for (const each of trees)
      expect(shownNode(await send(`GET /api/v1/goals/${each.id}`))).toEqual(expectedNode(each));
    const { data } = await send("GET /api/v1/goals");
    expect((data as Json[]).map(({ publicId, childGoalIds }) => [publicId, childGoalIds])).toEqual(
      trees
        .map(({ id, children }) => [id, children.map((each) => each.id)])
        .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    );
    expect(await stored(organization)).toEqual({
      below: trees
        .flatMap((each) =>
          nodesOf(each)
            .slice(1)
            .map(({ id }) => `${id} ${each.id}`),
        )
        .sort(),
      recorded: trees
        .flatMap((each) =>
          nodesOf(each).flatMap(({ id, isRecorded }) => (isRecorded ? [`${id} ${each.id}`] : [])),
        )
        .sort(),
    });
  }
}

/** Each goal below another one, and each on which something is recorded, with the goal of its record. */
function stored(organization: string): Promise<{ below: string[]; recorded: string[] }> {
  return database.read(async (db) => {
    const below = await db
      .selectFrom("child_goals")
      .select(["public_id as id", "goal_id"])
      .where("organization_id", "=", organization)
      .execute();
    const recorded = await db
      .selectFrom("recorded_data")
      .select(["recorded_on as id", "goal_id"])
      .where("organization_id", "=", organization)
      .execute();
    const [ofBelow, ofRecorded] = [below, recorded].map((rows) =>
      rows.map(({ id, goal_id }) => `${id} ${goal_id}`).sort(),
    );
    return { below: ofBelow ?? [], recorded: ofRecorded ?? [] };
  });
}
