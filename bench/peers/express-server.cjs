// Runs on Node: node express-server.cjs FOLDER_OF_PACKAGES DATABASE PORT

const { createHash } = require("node:crypto");
const { createRequire } = require("node:module");

const [folder, filename, port] = process.argv.slice(2);
const packages = createRequire(`${folder}/package.json`);
const express = packages("express");
const knex = packages("knex")({
  client: "better-sqlite3",
  connection: { filename },
  useNullAsDefault: true,
});

const app = express();

app.use(async (request, response, next) => {
  const key = request.get("authorization")?.slice("Bearer ".length) ?? "";
  const hash = createHash("sha256").update(key).digest("hex");
  const row = await knex("api_keys").where({ hash }).first();
  if (!row) return response.status(401).json({ error: "Invalid API key", statusCode: 401 });
  request.organizationId = row.organization_id;
  next();
});

app.get("/api/v1/sessions", async (request, response) => {
  const page = Number(request.query.page ?? 1);
  const pageSize = Number(request.query.pageSize ?? 25);
  const sessions = knex("sessions").where({ organization_id: request.organizationId });
  const rows = await sessions
    .clone()
    .orderBy(["start_time", "public_id"])
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const [{ total }] = await sessions.clone().count({ total: "*" });
  response.json({
    data: rows.map(present),
    pagination: { page, pageSize, totalCount: total, totalPages: Math.ceil(total / pageSize) },
  });
});

app.listen(Number(port), "127.0.0.1");

function present(row) {
  const common = {
    publicId: row.public_id,
    title: row.title,
    status: row.status,
    startTime: row.start_time,
    endTime: row.end_time,
    isSupervision: row.is_supervision === 1,
    isClientPresent: row.is_client_present === 1,
    placeOfService: row.place_of_service,
    locationId: row.location_id,
    technicianId: row.technician_id,
    clientId: row.client_id,
    isBillable: row.is_billable === 1,
  };
  if (!common.isBillable) return { ...common, nonBillableCode: row.non_billable_code_id };
  return {
    ...common,
    isTelehealth: row.is_telehealth === 1,
    clinicianId: row.clinician_id,
    providerLocationId: row.provider_location_id,
    services: row.service_line_id,
  };
}
