constant: CLIENT { value: "100" }
named_value_format: thousands { value_format: "[>=1000]0.0,\"K\";0" }

view: orders {
  sql_table_name: @{SCHEMA}.fct_orders ;;
  # dimension: forgotten { type: string }
  dimension: id { primary_key: yes hidden: yes type: number sql: ${TABLE}.order_id ;; }
  dimension: customer_id { type: number }
  dimension: client { type: string sql: ${TABLE}.client ;; }
  dimension: status { type: string description: "open or paid" }
  dimension: amount { type: number sql: ${TABLE}.amount ;; }
  dimension: unit_price { type: number sql: ${TABLE}.unit_price ;; }
  dimension: is_big {
    type: yesno
    sql: {% if size._parameter_value == "L" %} ${amount} > 100 {% endif %} ;;
  }
  dimension_group: placed { type: time timeframes: [raw, date, month] sql: ${TABLE}.placed_at ;; }
  measure: count { type: count drill_fields: [id, status] }
  measure: revenue {
    type: sum
    sql: ${amount} ;;
    filters: [status: "paid", placed_date: "last 7 days"]
    value_format_name: usd
  }
  measure: paid { type: count filters: { field: status value: "-open" } }
  measure: prices { type: sum sql: ${unit_price} ;; }
  measure: net { type: number sql: ${revenue} - ${count} ;; }
  measure: per_order { type: number sql: ${revenue} / NULLIF(${count}, 0) ;; }
  measure: once { type: sum_distinct sql_distinct_key: ${customer_id} ;; sql: ${amount} ;; }
  measure: latest { type: string sql: MAX(${status}) ;; }
}

view: customers {
  dimension: id { primary_key: yes type: number }
  dimension: deleted { type: yesno }
}

view: +customers {
  dimension: segment { type: string }
  measure: people { type: count_distinct sql: ${id} ;; }
}

view: recent {
  extends: [customers]
  derived_table: { sql: SELECT * FROM customers ;; }
}

explore: orders {
  always_filter: { filters: [orders.status: "paid", placed_date: ""] }
  sql_always_where: ${client} = "@{CLIENT}" ;;
  join: customers {
    type: left_outer
    relationship: many_to_one
    sql_on: ${orders.customer_id} = ${customers.id} ;;
  }
  join: payer {
    from: customers
    type: inner
    relationship: many_to_one
    sql_on: ${payer.id} = ${orders.customer_id} AND ${payer.deleted} IS FALSE ;;
  }
  join: planets { sql_on: ${orders.id} = ${planets.id} ;; }
}

explore: +orders {
  access_filter: { field: orders.client user_attribute: client }
}

explore: living {
  from: customers
  sql_always_where: ${living.deleted} IS FALSE ;;
}

explore: customers {
  sql_always_where: ${deleted} IS FALSE AND ${id} = '{{ _user_attributes['id'] }}' ;;
}
